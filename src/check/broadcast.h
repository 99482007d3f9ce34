// Sends batches from each rank to all others or to one, until all have told what they had.
//
// Batches go by the exchange (net/exchange.h): a few are on their way to each rank, and a thread
// that may not send one more takes what has arrived.  So nothing grows, however slow a rank is.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "check/cluster.h"
#include "check/lookout.h"

namespace spillway {

class Broadcast {
 public:
  // Gets the contents of a batch.
  using Receive = std::function<void(unsigned from, std::span<const std::byte> batch)>;
  // Free bytes at the beginning of a batch that is sent.
  static constexpr std::size_t kRoomBefore = Exchange::kRoomBefore;

  // For `threads` threads.  REQUIRES: both outlive it.
  Broadcast(Cluster& cluster, Lookout& lookout, unsigned threads)
      : cluster_(cluster), lookout_(lookout), threads_(threads) {}

  // All of these throw what Lookout and Cluster throw.

  // By one thread, on all ranks.
  void begin();
  // Sends a batch to all other ranks.  Any of the threads; it may call `receive` meanwhile.
  void send(unsigned thread, const std::vector<std::byte>& batch, const Receive& receive);
  // The same to one rank.
  void send_to(unsigned thread, unsigned to, std::vector<std::byte> batch, const Receive& receive);
  // By each of the threads, when it has nothing more to send.  Returns when all ranks have told
  // what they had and this one has received it, or another thread has failed.
  void finish(unsigned thread, const Receive& receive);

 private:
  bool take(const Receive& receive);
  void wait(unsigned thread, Peers::Patience& patience);

  Cluster& cluster_;
  Lookout& lookout_;
  const unsigned threads_;
  std::atomic<unsigned> finished_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace spillway
