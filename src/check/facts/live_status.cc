#include "check/facts/live_status.h"

#include <fmt/format.h>

#include <sstream>

#include "base/text/signed_text.h"

namespace spillway {
namespace {

constexpr std::string_view kNowTitle = "spillway now";
constexpr std::uint64_t kNowVersion = 2;

}  // namespace

std::string to_text(const LiveStatus& now, const Identity& run) {
  return with_checksum(
      fmt::format("{}run {}\nwritten {}\nphase {}\nlevel {}\nlevel_states {}\nexpanded {}\n"
                  "states {}\nseconds {}\nstates_per_second {}\nmemory_bytes {}\n"
                  "memory_limit_bytes {}\ndisk_bytes {}\nown_states {}\nbytes_sent {}\n"
                  "bytes_received {}\nwaited_milliseconds {}\n",
                  title_line(kNowTitle, kNowVersion), run.hex(), now.written,
                  static_cast<int>(now.phase), now.level, now.level_states, now.expanded,
                  now.states, now.seconds, now.states_per_second, now.memory_bytes,
                  now.memory_limit_bytes, now.disk_bytes, now.own_states, now.bytes_sent,
                  now.bytes_received, now.waited_milliseconds),
      "sha256");
}

std::optional<LiveStatus> parse_live_status(std::string_view text, const Identity& run) {
  std::istringstream lines{std::string(text)};
  std::string word, title;
  std::getline(lines, title);
  lines >> word >> word;  // the run
  LiveStatus now;
  int phase = 0;
  lines >> word >> now.written >> word >> phase;
  for (std::uint64_t* const number :
       {&now.level, &now.level_states, &now.expanded, &now.states, &now.seconds,
        &now.states_per_second, &now.memory_bytes, &now.memory_limit_bytes, &now.disk_bytes,
        &now.own_states, &now.bytes_sent, &now.bytes_received, &now.waited_milliseconds})
    lines >> word >> *number;
  if (!lines || phase < 0 || static_cast<std::size_t>(phase) >= kPhases.size()) return std::nullopt;
  now.phase = static_cast<Phase>(phase);
  if (to_text(now, run) != text) return std::nullopt;
  return now;
}

}  // namespace spillway
