// Whether what goes on shall end, and why.
//
// One answer for the whole process.  A signal or the clock asks; everything that can take long looks, at least every
// few milliseconds, and leaves.  Code that this program has generated looks at a word of its own (StopWord), which is
// cheaper than a call.
#pragma once

#include <atomic>
#include <cstdint>

namespace spillway {

enum class StopReason : std::uint32_t { none, time, interrupted, terminated };

// Thrown by what is given up because a stop was requested.
struct Stopped {};

namespace stop_request {

extern std::atomic<StopReason> reason;  // for the functions below

// Asks; the first reason counts until it is withdrawn.  Safe in a signal handler, but StopWords do not know it until
// spread() is called.
void note(StopReason why) noexcept;
// Lets all StopWords know what was noted.
void spread();
inline void make(StopReason why) {
  note(why);
  spread();
}
// Everybody has stopped: something else may begin.
void withdraw();

inline StopReason why() noexcept { return reason.load(std::memory_order_relaxed); }
inline bool made() noexcept { return why() != StopReason::none; }
inline void obey() {
  if (made()) throw Stopped{};
}

}  // namespace stop_request

// A word in code that was loaded; it is 1 while a stop is requested and 0 otherwise.
class StopWord {
 public:
  // REQUIRES: the word stays where it is as long as this lives.  nullptr: there is none.
  explicit StopWord(volatile std::uint32_t* word);
  ~StopWord();
  StopWord(const StopWord&) = delete;
  StopWord& operator=(const StopWord&) = delete;

 private:
  volatile std::uint32_t* const word_;
};

}  // namespace spillway
