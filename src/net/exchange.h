// Batches of bytes from each rank to each other one, until all ranks have sent what they had.
//
// Idea.  A sender may have a few batches on their way to a rank; it may send one more when one has
// been taken there.  So a slow rank slows down the others and never has to keep more than that.
// In the end, a rank tells each other one how many batches it has sent, and their sum; the
// exchange is over when all of them have been taken.  So it does not matter in which order messages
// arrive, and a message that is lost, repeated or changed is noticed.
//
// Nobody waits for anybody in here: a thread that cannot send takes what has arrived.
// tests/protocol/exchange.m is a model of this.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "net/peers.h"

namespace spillway {

struct ExchangeSettings {
  unsigned on_the_way = 4;  // batches to each rank that have not been taken yet
};

class Exchange {
 public:
  struct Batch {
    unsigned from = 0;
    std::vector<std::byte> message;
    std::span<const std::byte> bytes() const { return contents(message).subspan(kHeadBytes); }
  };
  // What a batch has of its own before its bytes.
  static constexpr std::size_t kHeadBytes = 16;
  static constexpr std::size_t kRoomBefore = Envelope::kBytes + kHeadBytes;

  explicit Exchange(Peers& peers) : Exchange(peers, ExchangeSettings()) {}
  // REQUIRES: the peers outlive it, and have no other one.
  Exchange(Peers& peers, const ExchangeSettings& settings);
  ~Exchange();

  // By one thread, on all ranks: the exchange begins.  REQUIRES: the one before is over.
  void begin();

  // These from all threads.  They throw what Peers throw.

  // Sends a message, whose first kRoomBefore bytes are free, unless too many are on the way: then
  // it returns false and leaves the message as it is.  REQUIRES: end() was not called.
  bool send(unsigned to, std::vector<std::byte>& message);
  // A batch that has arrived, with its contents checked.
  std::optional<Batch> take();
  // Nothing more will be sent.
  void end();
  // By one thread, on all ranks, after Peers::leave(): what is on the way does not count any more.
  void abandon();
  // Whether all ranks have ended and everything has been taken here.
  bool is_over();

  std::uint64_t bytes_sent() const { return all_bytes_.load(); }
  std::uint64_t bytes_received() const { return received_bytes_.load(); }  // and taken

 private:
  // Of what goes in one direction between this rank and another one.
  struct Sum {
    std::uint64_t batches = 0;
    std::uint64_t hashes = 0;  // their sum
    bool operator==(const Sum&) const = default;
  };
  struct Peer {
    Sum sent;
    std::uint64_t taken_there = 0;
    std::uint64_t received = 0;
    Sum taken;
    std::optional<Sum> announced;
  };
  struct Early {
    Envelope envelope;
    std::vector<std::byte> message;
  };

  void arrive(const Envelope& envelope, std::vector<std::byte> message);
  void sort_in(const Envelope& envelope, std::vector<std::byte> message);
  void arrive_now(const Envelope& envelope, std::vector<std::byte> message);
  [[noreturn]] static void refuse(unsigned from);

  Peers& peers_;
  const ExchangeSettings settings_;
  std::mutex mutex_;
  std::uint64_t round_ = 0;
  bool ended_ = true;
  bool abandoned_ = false;
  std::vector<Peer> of_;
  std::deque<Batch> arrived_;
  std::deque<Early> early_;  // of later rounds
  std::atomic<std::uint64_t> all_bytes_{0};
  std::atomic<std::uint64_t> received_bytes_{0};
};

}  // namespace spillway
