// The other ranks of a check: what all do together, and whether they are still there.
//
// Everything is made of messages (transport.h), so it can be tried with messages that are delayed,
// reordered, damaged or repeated, and with ranks that die or fall silent.
//
// Rounds.  All ranks gather in the same order, so a number tells to which gathering a message
// belongs.  A rank can be one round ahead of another: it has the answer already.  Its messages wait
// then.
//
// Leaving.  A rank that cannot take part in the next round, because of a signal or a failure,
// leaves it.  The others hear of that, now or while they wait in that round, and leave it as well.
// No rank can have passed it, because all are needed for that.  So all of them meet again after it,
// in an epoch of rounds of its own.  tests/protocol/leaving.m is a model of this.
//
// Losing.  A rank that notices that another one is lost tells the rest.  Nobody gathers any more.
// Whoever has done what is left to do says so, and goes when all others have said it too, or have
// had some seconds for it: a launcher may end the ranks that are left when one of them has gone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "net/envelope.h"
#include "net/transport.h"

namespace spillway {

struct PeersSettings {
  std::uint64_t check = 0;     // the same for all ranks of a check, and for no other check
  double silent_seconds = 60;  // a rank that is silent for longer is lost
};

class Peers {
  using Clock = std::chrono::steady_clock;

 public:
  // REQUIRES: the transport outlives it, and nobody else uses it.
  Peers(Transport& transport, const PeersSettings& settings);

  unsigned rank() const { return transport_.rank(); }
  unsigned ranks() const { return transport_.ranks(); }

  // All of these throw Error(lost) if a rank is lost, and Error(integrity) if a message is not
  // what it should be.

  // What each rank has given, in their order.  All ranks call this equally often, each from one
  // thread.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own);
  // Rounds of an epoch; more than there will be.
  static constexpr std::uint64_t kEpoch = std::uint64_t{1} << 32;
  // Thrown by gather() if a rank has left the round.  This one has to leave it too.
  struct Left {};
  // Leaves the round that comes next, on behalf of all ranks.  From a thread that gathers.
  void leave();
  // Whether another rank has left the round that comes next, as far as is known.  Any thread.
  bool is_left();
  // The sums over all ranks, modulo 2^64.  REQUIRES: all give equally many.
  void add_up(std::span<std::uint64_t> numbers);
  // When all is done: Transport::end(), which waits for the others.  Not if a rank is lost: then it
  // returns within seconds.  REQUIRES: nothing else is called any more.
  void end();

  // For an Exchange.  Any thread.

  // Receives those messages of an exchange.  REQUIRES: none has arrived before, and there is one
  // such function at a time.
  using Take = std::function<void(const Envelope&, std::vector<std::byte> message)>;
  void set_taker(Take take) { take_ = std::move(take); }
  // The first Envelope::kBytes bytes of the message are the place for the envelope.
  std::vector<std::byte> sealed(Envelope::Kind kind, unsigned to, std::uint64_t round,
                                std::vector<std::byte> message) const;
  void send(unsigned to, std::vector<std::byte> sealed);
  // Takes what has arrived, and lets the others know that this rank is alive.  False if there was
  // nothing, or if another thread does so already.
  bool pump();
  // Does so until is_done() is true.
  void pump_until(const std::function<bool()>& is_done);

  // How long threads have waited for other ranks, added up.
  std::uint64_t waited_milliseconds() const { return waited_nanoseconds_.load() / 1000000; }

  // Of a thread that waits for other ranks: it gives way to other threads, and notices that a rank
  // is lost.
  class Patience {
   public:
    explicit Patience(Peers& peers) : peers_(peers) {}
    void wait();
    void renew() { idle_since_ = Clock::now(); }  // something has arrived

   private:
    Peers& peers_;
    const Clock::time_point begun_ = Clock::now();
    Clock::time_point idle_since_ = begun_;
  };

 private:
  struct Gathering {
    std::vector<std::vector<std::byte>> parts;  // at rank 0
    std::vector<bool> has;
    std::size_t missing = 0;
    std::vector<std::byte> all;  // at the others
    bool is_complete = false;
  };

  bool receive();  // REQUIRES: mutex_ is held
  void dispatch(Transport::Message message);
  void add_part(const Envelope& envelope, std::vector<std::byte> message);
  bool is_next(std::uint64_t round) const;
  bool has_parted(const Transport::Message& message) const;
  bool is_left_now() const { return left_.contains(round_); }
  Gathering& gathering(std::uint64_t round);
  void beat();
  bool receive_some();
  void expect_life(Clock::time_point begun);  // who waits since then
  void fail(const Error& error);              // REQUIRES: mutex_ is held
  void send_to_others(Envelope::Kind kind, std::span<const std::byte> contents);  // likewise

  Transport& transport_;
  const PeersSettings settings_;
  Take take_;
  std::mutex mutex_;
  std::uint64_t round_ = 0;
  std::map<std::uint64_t, Gathering> gatherings_;
  std::set<std::uint64_t> left_;          // rounds that some rank has left
  std::optional<Error> failed_;           // whoever asks next hears of it as well
  std::set<unsigned> parted_;             // ranks that have said so
  std::vector<Clock::time_point> heard_;  // of each rank, for the last time
  Clock::time_point beaten_ = Clock::now();
  Clock::time_point looked_ = Clock::now();       // whether others are alive
  Clock::time_point awake_since_ = Clock::now();  // this process itself
  std::atomic<std::uint64_t> waited_nanoseconds_{0};
};

}  // namespace spillway
