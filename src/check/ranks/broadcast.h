// Sends batches from each rank to all others or to one, until all have told what they had.  All
// that ranks send each other in bulk goes this way.
//
// Batches go by the exchange (net/exchange.h): a few are on their way to each rank, and a thread
// that may not send one more takes what has arrived.  So nothing grows, however slow a rank is.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "check/ranks/cluster.h"

namespace spillway {

class Broadcast {
 public:
  // Gets the contents of a batch.
  using Receive = std::function<void(unsigned from, std::span<const std::byte> batch)>;
  // Free bytes at the beginning of a batch that is sent.
  static constexpr std::size_t kRoomBefore = Exchange::kRoomBefore;

  // What a thread does while it waits; it may throw.
  using Poll = std::function<void(unsigned thread)>;

  // REQUIRES: the cluster outlives it.
  Broadcast(Cluster& cluster, Poll poll) : cluster_(cluster), poll_(std::move(poll)) {}

  // All of these throw what the poll and Cluster throw.

  // By one thread, on all ranks.  So many threads will send.
  void begin(unsigned threads);
  // Sends a batch to all other ranks.  Any of the threads; it may call `receive` meanwhile.
  void send(unsigned thread, const std::vector<std::byte>& batch, const Receive& receive);
  // The same to one rank.
  void send_to(unsigned thread, unsigned to, std::vector<std::byte> batch, const Receive& receive);
  // Receives a batch that has arrived; false if there is none.
  bool take(const Receive& receive);
  // By each of the threads, when it has nothing more to send.  Returns when all ranks have told
  // what they had and this one has received it, or another thread has failed.
  void finish(unsigned thread, const Receive& receive);

 private:
  template <class Work>
  void carry_out(Work work);
  void take_or_wait(unsigned thread, const Receive& receive, Peers::Patience& patience);

  Cluster& cluster_;
  const Poll poll_;
  unsigned threads_ = 0;
  std::atomic<unsigned> finished_{0};
  std::atomic<bool> failed_{false};
};

}  // namespace spillway
