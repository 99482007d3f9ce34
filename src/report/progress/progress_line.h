// Shows progress: on a terminal one line that is rewritten, elsewhere a line now and then.  Any
// thread.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>

#include "report/progress/progress.h"

namespace spillway {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const ProgressFigures& figures);
  // Prints a permanent line.
  void announce(const std::string& sentence);
  // Erases the line, so that something else can be printed.
  void clear();

 private:
  void clear_line();
  std::size_t width() const;

  std::FILE* stream_;
  std::mutex mutex_;  // the search, the monitor and the watch print
  bool terminal_;
  bool shown_ = false;
  double last_seconds_ = 0;
};

}  // namespace spillway
