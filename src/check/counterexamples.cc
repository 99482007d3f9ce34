// The counterexamples of what an attempt has found.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/quantity.h"
#include "check/attempt.h"
#include "check/common_end.h"
#include "check/graph/ctl.h"
#include "check/session/short_rows.h"
#include "check/session/signals.h"

namespace spillway {
namespace {

// Findings that carry the states of their stem.
class NoLevels final : public LevelReader {
  void each_at_depth(std::uint64_t, const std::function<void(unsigned, State)>&) override {
    throw Error(Fault::internal, "internal error: a search that keeps no levels was asked for one");
  }
};

// Up to the level after it, no state is missing.
std::uint64_t least_failure_depth(const std::vector<Finding>& findings) {
  std::uint64_t least = kUnlimited;
  for (const Finding& finding : findings)
    if (is_failure(finding)) least = std::min(least, finding.depth);
  return least;
}

bool has_trace(const Finding& finding) { return finding.kind != PropertyKind::cover; }

// The way to it is not known.
bool needs_levels(const Finding& finding) {
  return has_trace(finding) &&
         (finding.kind != PropertyKind::acceptance || finding.stem.size() != finding.depth);
}

}  // namespace

Attempt::Shown Attempt::show(std::vector<Finding> findings) {
  enter(Watch::Stage::tracing);
  const InPhase tracing(session_.lookout, Phase::tracing);
  Shown shown{.findings = std::move(findings)};
  std::string_view why = "but there was no time for a counterexample. Allow more time.";
  try {
    if (!shown.findings.empty() && is_not_loaded()) {
      why =
          "by an earlier process, but this one ended before it had read the states again. "
          "Raise the limit that ended it.";
      throw Stopped{};
    }
    make_traces(shown);
    session_.cluster.sum(0);  // all have theirs
    return shown;
  } catch (const Stopped&) {
    give_up_traces(shown, why);
  } catch (const Cluster::Left&) {
    give_up_traces(shown, why);
  }
  leave_and_meet(session_, ending_);
  return shown;
}

void Attempt::make_traces(Shown& shown) {
  if (search_->level_reader() == nullptr && std::ranges::any_of(shown.findings, needs_levels))
    search_and_trace_again(shown);
  else
    for (const Finding& finding : shown.findings) add_trace(*search_, finding, shown);
  shown.confirmed = true;
}

// It was stopped before it had all states of the checkpoint, and knows what was found in them.
bool Attempt::is_not_loaded() const {
  const EarlierWork* const from = durable_.checkpoints().resumed();
  return from != nullptr && search_->stored() < from->states() + from->level_states;
}

// Whoever forges a log can put states into it to which no way leads.
Trace Attempt::trace_of(Search& of, const Finding& finding) {
  NoLevels none;
  LevelReader* levels = of.level_reader();
  std::optional<WholeLevels> whole;
  if (const auto& rows = session_.expanders.short_rows(); rows && levels != nullptr)
    levels = &whole.emplace(*levels, *rows, crew_.size());
  try {
    return make_trace(model_, options_.session.deadlock, levels != nullptr ? *levels : none, crew_,
                      finding, session_.cluster);
  } catch (const Error& error) {
    if (error.fault() != Fault::internal || durable_.checkpoints().resumed() == nullptr) throw;
    throw Error(Fault::integrity,
                fmt::format("the run that was resumed is not one of this model, or there is a bug "
                            "in Spillway; 'spillway check' begins it again: {}",
                            error.what()));
  }
}

void Attempt::add_trace(Search& of, const Finding& finding, Shown& shown) {
  if (!has_trace(finding)) return shown.traces.push_back({finding, {}, true});
  if (is_of_formula(finding) && finding.property >= options_.ctl.size())
    throw Error(Fault::integrity, "a violation refers to a formula that there is not");
  Trace trace = trace_of(of, finding);
  if (is_of_formula(finding) && !complete_ctl_trace(options_.ctl[finding.property], model_, trace))
    throw Error(Fault::internal, "the counterexample of a CTL formula does not violate it");
  if (finding.depth > least_failure_depth(shown.findings)) trace.shortest = false;
  shown.traces.push_back(std::move(trace));
}

// Finds the violations of a search that keeps no levels again, by one that does.  A limit may
// come before.
void Attempt::search_and_trace_again(Shown& shown) {
  search_.reset();
  SessionOptions plain;
  plain.threads = options_.session.threads;
  plain.deadlock = options_.session.deadlock;
  plain.limits.timeout_seconds = options_.session.limits.timeout_seconds - seconds();
  Session again(model_, plain);
  const std::unique_ptr<Search> search = algorithm_.retrace->make({again, budget_, crew_, disk_});
  try {
    search->search();
  } catch (const Finished&) {
  }
  note(again.lookout.stop());
  const std::vector<Finding>& found = again.findings.all();
  if (found.empty() && ending_.stop) throw Stopped{};
  const bool exact = algorithm_.in_levels && options_.signatures.bits == 0;
  if (found.empty() || (exact && found.front().depth != shown.findings.front().depth))
    throw Error(Fault::internal,
                "a violation was found, but a second search did not find it again");
  shown.findings = found;
  goals_ = {};  // a search without levels has seen other states
  note_covered(again, goals_);
  for (const Finding& finding : found) add_trace(*search, finding, shown);
}

// Something is wrong, but what was to show it has been stopped.
void Attempt::give_up_traces(Shown& shown, std::string_view why) {
  if (shown.findings.empty()) return;
  note(requested_stop());
  shown = {.dropped = true};
  shown.untraced = fmt::format("A violation was found at depth {}, {}",
                               with_commas(session_.findings.all().front().depth), why);
}

}  // namespace spillway
