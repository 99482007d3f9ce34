// A check on several ranks, which are threads of this process.
#pragma once

#include <thread>
#include <vector>

#include "check/check.h"
#include "support/local_network.h"

namespace spillway {

struct RankSettings {
  unsigned ranks = 2;
  std::uint64_t disorder = 0;  // LocalNetwork
  ClusterSettings cluster = {};
};

// Calls carry_out(rank, cluster) for each rank, on a thread of its own, and returns their results.
template <class CarryOut>
std::vector<CheckResult> on_ranks(LocalNetwork& network, const RankSettings& settings,
                                  CarryOut carry_out) {
  std::vector<CheckResult> results(settings.ranks);
  std::vector<std::thread> threads;
  for (unsigned rank = 0; rank < settings.ranks; ++rank)
    threads.emplace_back([&, rank] {
      Cluster cluster(network.of(rank), settings.cluster);
      results[rank] = carry_out(rank, cluster);
    });
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace spillway
