// Ranks that are threads, each with its peers.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.h"
#include "net/peers.h"
#include "support/local_network.h"

namespace spillway {

// The first error of any thread.  It ends all ranks.
class FirstError {
 public:
  explicit FirstError(LocalNetwork& network) : network_(network) {}
  void note(unsigned rank, const Error& error) {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    network_.lose(rank);
  }
  void rethrow() {
    const std::lock_guard lock(mutex_);
    if (error_) throw Error(*error_);
  }
  // REQUIRES: no thread may have one any more.
  const std::optional<Error>& error() const { return error_; }

 private:
  LocalNetwork& network_;
  std::mutex mutex_;
  std::optional<Error> error_;
};

// Calls work(peers, first) for each rank, on a thread of its own.  It may note errors itself.
inline std::optional<Error> on_ranks(LocalNetwork& network, unsigned ranks,
                                     const PeersSettings& settings,
                                     const std::function<void(Peers&, FirstError&)>& work) {
  FirstError first(network);
  std::vector<std::thread> threads;
  for (unsigned rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        Peers peers(network.of(rank), settings);
        work(peers, first);
      } catch (const Error& error) {
        first.note(rank, error);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return first.error();
}

}  // namespace spillway
