// A request that the current work stops, with the reason.
//
// A signal or the clock makes a request of the whole process.  Everything that can take long polls
// it every few milliseconds at least and returns.  Generated code polls a word of its own
// (StopWord), which is cheaper than a call.  A search polls a StopToken, which may also be one of
// its own, so that whoever started it can cancel it alone.
#pragma once

#include <atomic>
#include <cstdint>

namespace spillway {

enum class StopReason : std::uint32_t { none, time, interrupted, terminated };

// Thrown to abandon work because of a stop request.
struct Stopped {};

class StopToken {
 public:
  // Records a request; the first reason counts until it is withdrawn.  Safe in a signal handler.
  void note(StopReason why) noexcept {
    StopReason none = StopReason::none;
    reason_.compare_exchange_strong(none, why);
  }
  void withdraw() noexcept { reason_.store(StopReason::none); }

  StopReason why() const noexcept { return reason_.load(std::memory_order_relaxed); }
  bool made() const noexcept { return why() != StopReason::none; }

 private:
  static_assert(std::atomic<StopReason>::is_always_lock_free);  // a signal handler writes it
  std::atomic<StopReason> reason_{StopReason::none};
};

// The request of the process.
namespace stop_request {

extern StopToken token;

// StopWords are not updated before spread().
inline void note(StopReason why) noexcept { token.note(why); }
// Updates all StopWords.
void spread();
inline void make(StopReason why) {
  note(why);
  spread();
}
// Clears the request.  To be called when all work has stopped and new work may begin.
void withdraw();

inline StopReason why() noexcept { return token.why(); }
inline bool made() noexcept { return token.made(); }
inline void obey() {
  if (made()) throw Stopped{};
}

}  // namespace stop_request

// A word in loaded code that is 1 while a stop is requested and 0 otherwise.
class StopWord {
 public:
  // REQUIRES: the word outlives this object.  It may be nullptr: the code has none.
  explicit StopWord(volatile std::uint32_t* word);
  ~StopWord();
  StopWord(const StopWord&) = delete;
  StopWord& operator=(const StopWord&) = delete;

 private:
  volatile std::uint32_t* const word_;
};

}  // namespace spillway
