// Ranks that are threads of one process: for tests, with all that a network can do to messages.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "net/transport.h"

namespace spillway {

struct LocalNetworkSettings {
  // Messages are delayed and overtake each other at random, differently for each number; 0: they
  // arrive at once and in order.
  std::uint64_t disorder = 0;
  std::uint64_t lose_at = 0;  // the number of the message whose sender dies; 0: none does
};

class LocalNetwork {
 public:
  explicit LocalNetwork(unsigned ranks) : LocalNetwork(ranks, LocalNetworkSettings()) {}
  LocalNetwork(unsigned ranks, const LocalNetworkSettings& settings);
  ~LocalNetwork();

  // REQUIRES: the network outlives it, and one thread at a time uses it.
  Transport& of(unsigned rank);

  // These from any thread.

  // The rank has died: from now on, everybody's calls throw.
  void lose(unsigned rank);
  // Nothing reaches it, and nothing comes from it any more.
  void silence(unsigned rank);
  // Changes a byte of the next message that is sent.
  void damage_next();
  // Delivers the next message that is sent twice.
  void repeat_next();
  // Does not deliver the next message that is sent.
  void drop_next();
  std::uint64_t bytes_sent() const;

 private:
  class End;
  struct Box {
    std::vector<Transport::Message> messages;
    std::mt19937_64 random;
  };

  void send(unsigned from, unsigned to, std::vector<std::byte> bytes);
  std::optional<Transport::Message> receive(unsigned rank);
  void stop_if_lost() const;

  const LocalNetworkSettings settings_;
  mutable std::mutex mutex_;
  std::vector<Box> boxes_;  // of each rank
  std::vector<bool> silent_;
  std::optional<unsigned> lost_;
  bool damage_ = false;
  bool repeat_ = false;
  bool drop_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t sent_ = 0;  // messages
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace spillway
