// The progress display of a search: on a terminal one line that is rewritten, elsewhere a line now
// and then.  Any thread.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

#include "check/lookout.h"

namespace spillway {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // How often the run should report within a level.
  double every_seconds() const { return terminal_ ? 0.5 : 60; }
  void show(const Progress& progress);
  // Prints a permanent line.
  void announce(const std::string& sentence);
  // Erases the line, so that something else can be printed.
  void clear();

 private:
  void clear_line();

  std::FILE* stream_;
  std::mutex mutex_;  // the search shows progress, the watch announces
  bool terminal_;
  bool shown_ = false;
  double last_seconds_ = 0;
};

// One line without newline: "[00:41:07] level 31  63%  6,450,000 states ..."
std::string progress_text(const Progress& progress);

}  // namespace spillway
