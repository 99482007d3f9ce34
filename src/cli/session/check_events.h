// The file that --events names: what happens in a check, line by line, each written at once.
//
// A search does not end because its events cannot be written any more: that is said once.
#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>

#include "check/check.h"
#include "check/session/checkpoints.h"
#include "report/progress/progress.h"
#include "report/words/subject.h"

namespace spillway {

class CheckEvents {
 public:
  // `path`: "-" is standard output; empty: no events.  `continued`: what the file has stays.
  CheckEvents(std::string path, bool continued) : path_(std::move(path)), continued_(continued) {}
  ~CheckEvents();
  CheckEvents(const CheckEvents&) = delete;
  CheckEvents& operator=(const CheckEvents&) = delete;

  // Throws Error(system).
  void open();
  bool wanted() const { return !path_.empty(); }

  // Any thread.  No effect before open(), but the end of a check that never began is told too.
  void start(const Subject& subject, std::uint64_t earlier_levels);
  void message(const std::string& text);
  void end(const Subject& subject, const CheckResult& result, int exit_code);
  // From now on, these checkpoints are told; until the search has ended with so many levels.  Only
  // the thread of the search calls these.
  void follow(const Checkpoints& checkpoints);
  void unfollow(std::uint64_t levels);
  void level(const ProgressFigures& figures);

 private:
  double seconds() const;
  void write(const std::string& line);
  void tell_checkpoint(std::uint64_t levels);

  const std::string path_;
  const bool continued_;
  bool opened_ = false;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Checkpoints* checkpoints_ = &Checkpoints::none();
  std::uint64_t told_ = 0;  // generation of a checkpoint
  std::mutex mutex_;        // guards the file
  std::FILE* file_ = nullptr;
};

}  // namespace spillway
