#include "check/counterexamples.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/quantity.h"
#include "check/ctl.h"

namespace spillway {
namespace {

// Findings that carry the states of their stem.
class NoLevels final : public LevelReader {
  void each_at_depth(std::uint64_t, const std::function<void(unsigned, State)>&) override {
    throw Error(Fault::internal, "internal error: a search that keeps no levels was asked for one");
  }
};

class Counterexamples {
 public:
  explicit Counterexamples(Inquiry& inquiry) : it_(inquiry) {}

  void trace() {
    it_.enter(Watch::Stage::tracing);
    const InPhase tracing(it_.session.lookout, Phase::tracing);
    std::string_view why = "but there was no time for a counterexample. Allow more time.";
    try {
      if (!it_.evidence.findings.empty() && is_not_loaded(*it_.search)) {
        why =
            "by an earlier process, but this one ended before it had read the states again. "
            "Raise the limit that ended it.";
        throw Stopped{};
      }
      make_traces();
      if (it_.session.cluster != nullptr) it_.session.cluster->sum(0);
      return;
    } catch (const Stopped&) {
      give_up_traces(why);
    } catch (const Cluster::Left&) {
      give_up_traces(why);
    }
    if (it_.session.cluster != nullptr) leave_and_meet(it_.session, it_.ending());
  }

 private:
  void make_traces() {
    if (it_.search->level_reader() == nullptr &&
        std::ranges::any_of(it_.evidence.findings, needs_levels))
      search_and_trace_again();
    else
      for (const Finding& finding : it_.evidence.findings) add_trace(*it_.search, finding);
    it_.evidence.traces_confirmed = true;
  }

  // Up to the level after it, no state is missing.
  std::uint64_t least_failure_depth() const {
    std::uint64_t least = kUnlimited;
    for (const Finding& finding : it_.evidence.findings)
      if (is_failure(finding)) least = std::min(least, finding.depth);
    return least;
  }

  static bool has_trace(const Finding& finding) { return finding.kind != FindingKind::cover; }
  static bool is_of_formula(const Finding& finding) { return finding.kind == FindingKind::ctl; }

  // The way to it is not known.
  static bool needs_levels(const Finding& finding) {
    return has_trace(finding) &&
           (finding.kind != FindingKind::acceptance || finding.stem.size() != finding.depth);
  }

  // It was stopped before it had all states of the checkpoint, and knows what was found in them.
  bool is_not_loaded(const Search& search) const {
    if (it_.options.journal == nullptr || !it_.options.journal->resumed()) return false;
    const Manifest& from = *it_.options.journal->resumed();
    return search.stored() < from.states() + from.level_states;
  }

  // Whoever forges a log can put states into it to which no way leads.
  Trace trace_of(Search& of, const Finding& finding) {
    NoLevels none;
    LevelReader* const levels = of.level_reader();
    try {
      return make_trace(it_.session.model, it_.options.session.deadlock,
                        levels != nullptr ? *levels : none, it_.crew, finding, it_.session.cluster);
    } catch (const Error& error) {
      if (error.fault() != Fault::internal || it_.options.journal == nullptr ||
          !it_.options.journal->resumed())
        throw;
      throw Error(
          Fault::integrity,
          fmt::format("the run that was resumed is not one of this model, or there is a bug "
                      "in Spillway; 'spillway check' begins it again: {}",
                      error.what()));
    }
  }

  void add_trace(Search& of, const Finding& finding) {
    if (!has_trace(finding)) return it_.result.traces.push_back({finding, {}, true});
    if (is_of_formula(finding) && finding.property >= it_.options.ctl.size())
      throw Error(Fault::integrity, "a violation refers to a formula that there is not");
    Trace trace = trace_of(of, finding);
    if (is_of_formula(finding) &&
        !complete_ctl_trace(it_.options.ctl[finding.property], it_.session.model, trace))
      throw Error(Fault::internal, "the counterexample of a CTL formula does not violate it");
    if (finding.depth > least_failure_depth()) trace.shortest = false;
    it_.result.traces.push_back(std::move(trace));
  }

  // Finds the violations of a search that keeps no levels again, by one that does.  A limit may
  // come before.
  void search_and_trace_again() {
    it_.search.reset();
    SessionOptions plain;
    plain.threads = it_.options.session.threads;
    plain.deadlock = it_.options.session.deadlock;
    plain.limits.timeout_seconds = it_.options.session.limits.timeout_seconds - it_.seconds();
    Session again(it_.session.model, plain);
    const std::unique_ptr<Search> search =
        it_.algorithm.retrace->make({again, it_.budget, it_.crew, it_.disk});
    try {
      search->search();
    } catch (const Finished&) {
    }
    const std::vector<Finding>& found = again.findings.all();
    if (again.lookout.stop()) it_.evidence.stop = again.lookout.stop();
    if (found.empty() && it_.evidence.stop) throw Stopped{};
    const bool exact = it_.algorithm.in_levels && it_.options.signatures.bits == 0;
    if (found.empty() || (exact && found.front().depth != it_.evidence.findings.front().depth))
      throw Error(Fault::internal,
                  "a violation was found, but a second search did not find it again");
    it_.evidence.findings = found;
    it_.result.goals = {};  // a search without levels has seen other states
    note_covered(again, it_.result.goals);
    for (const Finding& finding : found) add_trace(*search, finding);
  }

  // Something is wrong, but what was to show it has been stopped.
  void give_up_traces(std::string_view why) {
    if (it_.evidence.findings.empty()) return;
    if (!it_.evidence.stop) it_.evidence.stop = requested_stop();
    it_.drop_findings();
    it_.result.untraced = fmt::format("A violation was found at depth {}, {}",
                                      with_commas(it_.session.findings.all().front().depth), why);
  }

  Inquiry& it_;
};

}  // namespace

void make_counterexamples(Inquiry& inquiry) { Counterexamples(inquiry).trace(); }

}  // namespace spillway
