#include "report/progress/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace spillway {

ProgressLine::ProgressLine(std::FILE* stream)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

// Of the terminal now: its user may change it.  The last column stays free, or some terminals go to
// the next line.
std::size_t ProgressLine::width() const {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool known = ioctl(fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : kUsual) - 1;
}

void ProgressLine::show(const ProgressFigures& figures) {
  const std::lock_guard lock(mutex_);
  const Progress& progress = figures.progress;
  // A short check prints nothing, and one with a million levels does not print a million lines.
  double least_seconds = progress.level_done ? 5 : 60;
  if (terminal_) least_seconds = 0.45;
  if (progress.seconds - last_seconds_ < least_seconds) return;
  last_seconds_ = progress.seconds;
  if (terminal_)
    std::fputs(fmt::format("\r{}\033[K", progress_text(figures, width())).c_str(), stream_);
  else
    std::fputs((progress_text(figures) + "\n").c_str(), stream_);
  std::fflush(stream_);
  shown_ = true;
}

void ProgressLine::announce(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  clear_line();
  std::fputs(fmt::format("{}\n", sentence).c_str(), stream_);
  std::fflush(stream_);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  clear_line();
}

void ProgressLine::clear_line() {
  if (terminal_ && shown_) {
    std::fputs("\r\033[K", stream_);
    std::fflush(stream_);
  }
  shown_ = false;
}

}  // namespace spillway
