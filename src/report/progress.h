// What a user sees while a search goes on: on a terminal one line that is written again and again,
// elsewhere now and then a line of its own.  From any thread.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

#include "run/run.h"

namespace spillway {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // How often the run should call in the midst of a level.
  double every_seconds() const { return terminal_ ? 0.5 : 60; }
  void show(const Progress& progress);
  // A line that stays.
  void announce(const std::string& sentence);
  // Takes the line away, for something else to be written.
  void clear();

 private:
  void clear_line();

  std::FILE* stream_;
  std::mutex mutex_;  // a search shows, and whoever looks on announces
  bool terminal_;
  bool shown_ = false;
  double last_seconds_ = 0;
};

// One line without newline: "[00:41:07] level 31  63%  6,450,000 states ..."
std::string progress_text(const Progress& progress);

}  // namespace spillway
