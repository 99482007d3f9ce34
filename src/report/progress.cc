#include "report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/quantity.h"

namespace spillway {

ProgressLine::ProgressLine(std::FILE* stream)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

std::string progress_text(const Progress& p) {
  const auto whole = static_cast<std::uint64_t>(p.seconds);
  std::string text = fmt::format("[{:02}:{:02}:{:02}] level {}", whole / 3600, whole % 3600 / 60,
                                 whole % 60, with_commas(p.level));
  if (!p.level_done && p.level_states != 0)
    text += fmt::format("  {}%", static_cast<std::uint64_t>(100 * static_cast<double>(p.expanded) /
                                                            static_cast<double>(p.level_states)));
  text += fmt::format("  {} states", with_commas(p.states));
  if (p.level_done && p.level_states != 0 && p.next_states != 0)
    text += fmt::format("  next level {} (x{:.2f})", with_commas(p.next_states),
                        static_cast<double>(p.next_states) / static_cast<double>(p.level_states));
  const double done =
      static_cast<double>(p.states - p.level_states + p.expanded - p.earlier_states);
  if (p.seconds > 0)
    text += fmt::format("  {} states/s", with_commas(static_cast<std::uint64_t>(done / p.seconds)));
  return text + fmt::format("  memory {}", bytes_text(resident_bytes()));
}

void ProgressLine::show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  // A short check prints nothing, and one with a million levels does not print a million lines.
  double least_seconds = progress.level_done ? 5 : 60;
  if (terminal_) least_seconds = 0.5;
  if (progress.seconds - last_seconds_ < least_seconds) return;
  last_seconds_ = progress.seconds;
  const std::string text = progress_text(progress);
  if (terminal_)
    std::fputs(fmt::format("\r{}\033[K", text).c_str(), stream_);
  else
    std::fputs((text + "\n").c_str(), stream_);
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
