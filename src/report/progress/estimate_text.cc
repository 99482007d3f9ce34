#include "report/progress/estimate_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text/quantity.h"
#include "report/progress/progress.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr double kLongSeconds = 60;

// Of states that take so many bytes now.
Interval<std::uint64_t> in_proportion(std::uint64_t bytes, const Beginning& beginning,
                                      const Interval<std::uint64_t>& states) {
  const double each = static_cast<double>(bytes) / static_cast<double>(beginning.levels.states());
  return {static_cast<std::uint64_t>(each * static_cast<double>(states.low)),
          static_cast<std::uint64_t>(each * static_cast<double>(states.high))};
}

std::string bytes_line(std::string_view what, const Interval<std::uint64_t>& bytes,
                       std::string_view remark) {
  return fmt::format("  {:<9}{} to {}{}\n", what, bytes_text(bytes.low), bytes_text(bytes.high),
                     remark);
}

std::string so_far(const Beginning& beginning) {
  return fmt::format("  so far   {} in {}, after {}\n", plural(beginning.levels.states(), "state"),
                     plural(beginning.levels.count(), "level"), seconds_text(beginning.seconds));
}

std::string command_line(const std::string& command, bool kept) {
  return fmt::format("Run it with: {}{}\n", command, kept ? " --run-dir run" : "");
}

std::string unknown_text(const Beginning& beginning) {
  const std::size_t levels = beginning.levels.count();
  std::string why = "there are too few levels";
  if (const std::optional<double> by = growth(beginning.levels); by && *by > 0)
    why = fmt::format("the levels still grow by a factor of {:.2f}",
                      std::exp(*by / static_cast<double>(levels)));
  return so_far(beginning) +
         fmt::format("It is too early to tell: {}. Allow more time with --for.\n", why) +
         command_line(beginning.command, true);
}

}  // namespace

std::string complete_text(const Beginning& beginning) {
  return so_far(beginning) + "These are all states.\n" + command_line(beginning.command, false);
}

std::string estimate_text(const Beginning& beginning, bool& known) {
  CostSoFar cost;
  cost.expanded = beginning.expanded;
  if (beginning.seconds > 0)
    cost.mean_rate = static_cast<double>(beginning.expanded) / beginning.seconds;
  const std::optional<Forecast> said = forecast(beginning.levels, cost);
  known = said.has_value();
  if (!said) return unknown_text(beginning);
  const Interval<std::uint64_t> states = rounded(said->states);
  const Interval<std::uint64_t> memory =
      in_proportion(beginning.memory_bytes, beginning, said->states);
  Interval<std::uint64_t> disk = in_proportion(beginning.kept_bytes, beginning, said->states);
  const bool may_outgrow = memory.high > beginning.memory_limit_bytes;
  if (may_outgrow) disk.high *= 2;  // the visited set goes there as well
  std::string text = so_far(beginning);
  text += fmt::format("  states   {} to {}\n", with_commas(states.low), with_commas(states.high));
  text += bytes_line("memory", memory,
                     may_outgrow ? fmt::format(", of {}: the rest goes to disk",
                                               bytes_text(beginning.memory_limit_bytes))
                                 : "");
  text += bytes_line("disk", disk, may_outgrow ? "" : ", with --run-dir");
  if (said->seconds) {
    // The time of the whole search, which begins again.
    const Interval<double> whole = {beginning.seconds + said->seconds->low,
                                    beginning.seconds + said->seconds->high};
    text += fmt::format("  time     {}{}\n", interval_text(whole),
                        may_outgrow ? ", longer on disk" : "");
  }
  const bool kept = may_outgrow || (said->seconds && said->seconds->high > kLongSeconds);
  return text + command_line(beginning.command, kept);
}

}  // namespace spillway
