// Whether the current work is to stop, and why.
//
// There is one request per process.  A signal or the clock makes it.  Everything that can take long
// polls it every few milliseconds at least and returns.  Generated code polls a word of its own
// (StopWord), which is cheaper than a call.
#pragma once

#include <atomic>
#include <cstdint>

namespace spillway {

enum class StopReason : std::uint32_t { none, time, interrupted, terminated };

// Thrown to abandon work because of a stop request.
struct Stopped {};

namespace stop_request {

extern std::atomic<StopReason> reason;  // used by the functions below

// Records a request; the first reason counts until it is withdrawn.  Safe in a signal handler, but
// StopWords are not updated before spread().
void note(StopReason why) noexcept;
// Updates all StopWords.
void spread();
inline void make(StopReason why) {
  note(why);
  spread();
}
// Clears the request.  To be called when all work has stopped and new work may begin.
void withdraw();

inline StopReason why() noexcept { return reason.load(std::memory_order_relaxed); }
inline bool made() noexcept { return why() != StopReason::none; }
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
