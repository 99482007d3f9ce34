#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/text/printable.h"
#include "check/attempt.h"

namespace spillway {

bool CheckOptions::is_wanted(const RunCheck& run) const {
  return !ignored.acceptance || run.kind != PropertyKind::acceptance;
}

bool CheckOptions::wants_runs() const {
  return std::ranges::any_of(runs, [this](const RunCheck& run) { return is_wanted(run); });
}

double omission_bound(unsigned bits, std::uint64_t states) {
  const auto n = static_cast<double>(states);
  return n * (n + 1) / std::exp2(bits + 1);
}

std::string why_not(const CheckRequest& asked, const Algorithm& algorithm) {
  const auto cannot = [&](std::string_view option, std::string_view what) {
    return fmt::format("{}--algorithm={} {}", option, algorithm.name, what);
  };
  if (asked.signatures && !algorithm.signatures)
    return cannot("--store: ", "supports only --store=full");
  if (asked.limits.max_depth != kUnlimited && !algorithm.in_levels)
    return cannot("--max-depth: ", "is not breadth-first and does not know depths");
  if (asked.durable && !algorithm.durable)
    return cannot("--run-dir: ", "does not support checkpoints; use auto, ram or sorted-runs");
  if (asked.ranks > 1 && algorithm.on_ranks == nullptr)
    return cannot("", "cannot be shared by several ranks: use auto or sorted-runs");
  if (asked.model == nullptr) return "";
  const bool has_levels = algorithm.retrace == nullptr;
  for (const Property& property : asked.model->properties())
    if (property.kind == PropertyKind::reachable && !asked.ignored.reachable && !has_levels)
      return cannot("", fmt::format("cannot decide the liveness property \"{}\": use auto, ram or "
                                    "sorted-runs, or check the other properties with "
                                    "--ignore=liveness",
                                    printable(property.name)));
  if (!asked.ctl.empty() && !has_levels)
    return cannot("", fmt::format("cannot decide the CTL formula \"{}\": use auto, ram or "
                                  "sorted-runs",
                                  printable(asked.ctl[0].name)));
  if (asked.limits.max_errors == 1) return "";
  if (!has_levels || !algorithm.in_levels)
    return cannot("--max-errors: ",
                  "keeps no levels, which several counterexamples need; use auto, ram or "
                  "sorted-runs");
  if (asked.model->acceptance().property() && !asked.ignored.acceptance)
    return "--max-errors: a search for accepting cycles ends with the first violation; leave them "
           "out with --ignore=acceptance";
  return "";
}

CheckResult unanswered(const Session* session, Stop why) {
  CheckResult result;
  Evidence evidence;
  evidence.stop = why;
  result.verdict = judge(evidence);
  if (session != nullptr) {
    result.statistics = session->levels.so_far();
    result.seconds = session->lookout.seconds();
  }
  result.peak_memory_bytes = peak_resident_bytes();
  return result;
}

CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options) {
  Budget budget(options.memory_bytes - DurableCheck(options.journal).budget_bytes());
  SPILLWAY_CHECK(options.disk != nullptr);
  Disk& disk = *options.disk;
  SessionOptions of_session = options.session;
  if (has_reachable(model) && !options.ignored.reachable)
    of_session.most_goal_states = most_goal_states(budget);

  std::optional<Attempt> attempt;
  const auto enter = [&](Watch::Stage stage) {
    if (options.watch != nullptr) options.watch->enter(stage, nullptr);
  };
  const auto begin = [&] {
    if (attempt) {
      enter(Watch::Stage::preparing);  // before the session of the earlier attempt ends
      of_session.limits.timeout_seconds -= attempt->seconds();
    }
    attempt.emplace(model, algorithm, options, of_session, budget, disk);
  };
  Attempt::carry_out(attempt, begin);
  enter(Watch::Stage::ended);
  CheckResult result = attempt->result();
  result.statistics.disk_bytes_read = disk.counters().read_bytes;
  result.statistics.disk_bytes_written = disk.counters().written_bytes;
  result.budget_peak_bytes = budget.peak();
  result.peak_memory_bytes = peak_resident_bytes();
  result.ranks = options.session.cluster->figures();
  return result;
}

}  // namespace spillway
