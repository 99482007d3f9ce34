#include "check/facts/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "base/text/quoted_names.h"

namespace spillway {
namespace {

constexpr std::array kExitCodes = {
    ExitCode{Exit::verified, "VERIFIED: all properties hold and the search was complete"},
    ExitCode{Exit::not_as_expected,
             "a case of 'spillway test' did not end as its manifest expects"},
    ExitCode{Exit::usage, "the command line is wrong"},
    ExitCode{Exit::deadlock, "VIOLATED: a deadlock can be reached"},
    ExitCode{Exit::invariant, "VIOLATED: an invariant is false in a reachable state"},
    ExitCode{Exit::reachable, "VIOLATED: a liveness property does not hold"},
    ExitCode{Exit::assertion, "VIOLATED: an assertion in a rule fails"},
    ExitCode{Exit::cover, "VIOLATED: a cover property never holds"},
    ExitCode{Exit::time, "INCONCLUSIVE: the time limit was reached"},
    ExitCode{Exit::disk, "INCONCLUSIVE: the disk is full, or the disk limit was reached"},
    ExitCode{Exit::memory, "INCONCLUSIVE: the memory limit was reached"},
    ExitCode{Exit::bound,
             "INCONCLUSIVE: a bound on depth, states or the length of signatures was reached"},
    ExitCode{Exit::unchecked,
             "INCONCLUSIVE: no violation was found, but a property cannot be checked yet"},
    ExitCode{Exit::simulated, "INCONCLUSIVE: random walks found no violation"},
    ExitCode{Exit::lost, "INCONCLUSIVE: another rank of the cluster was lost"},
    ExitCode{Exit::dead_rules,
             "VERIFIED, but a rule never fired, and --fail-on-dead-rules was given"},
    ExitCode{Exit::runtime_error, "VIOLATED: a rule ends with a run-time error of the model"},
    ExitCode{Exit::interrupted, "INCONCLUSIVE: interrupted (SIGINT)"},
    ExitCode{Exit::terminated, "INCONCLUSIVE: terminated (SIGTERM)"},
    ExitCode{Exit::model, "ERROR: the model cannot be read or breaks its promises"},
    ExitCode{Exit::system, "ERROR: the operating system refused something"},
    ExitCode{Exit::integrity, "ERROR: stored data is corrupt or missing"},
    ExitCode{Exit::internal, "ERROR: a bug in Spillway"},
};

struct StopRow {
  Stop stop;
  Exit exit;
  std::string_view reason;
};
constexpr std::array kStops = {
    StopRow{Stop::time, Exit::time, "the time limit was reached"},
    StopRow{Stop::memory, Exit::memory, "the memory limit was reached"},
    StopRow{Stop::goals, Exit::memory,
            "not enough memory to decide the liveness properties: raise --memory, or check the "
            "others with "
            "--ignore=liveness"},
    StopRow{Stop::disk, Exit::disk, "there is no space left on disk"},
    StopRow{Stop::depth, Exit::bound, "the depth bound was reached"},
    StopRow{Stop::states, Exit::bound, "the bound on the number of states was reached"},
    StopRow{Stop::walks, Exit::simulated,
            "random walks found no violation, but they do not visit all states"},
    StopRow{Stop::interrupted, Exit::interrupted, "interrupted"},
    StopRow{Stop::terminated, Exit::terminated, "terminated"},
    StopRow{Stop::lost, Exit::lost, "another rank of the cluster was lost"},
};

Exit exit_of(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::invariant: return Exit::invariant;
    case PropertyKind::assertion: return Exit::assertion;
    case PropertyKind::deadlock: return Exit::deadlock;
    case PropertyKind::runtime_error: return Exit::runtime_error;
    case PropertyKind::cover: return Exit::cover;
    case PropertyKind::reachable:
    case PropertyKind::acceptance:
    case PropertyKind::ctl: return Exit::reachable;
    default: return Exit::internal;  // of no finding
  }
}

// A limit or a signal came before the check would have ended by itself, perhaps within the level of
// what was found: the rest of that level may violate other properties.
bool is_cut_short(const Evidence& e) {
  return e.stop && (e.untraced || !e.search_returned || !e.goals_decided);
}

// What must be true of every search, whatever its engine.
struct CommonObligation {
  std::string_view unmet;
  bool (*met)(const Evidence&);
};
constexpr std::array kCommonObligations = {
    CommonObligation{"the search did not finish",
                     [](const Evidence& e) { return e.search_returned; }},
    CommonObligation{"the search has vouched for nothing",
                     [](const Evidence& e) { return !e.obligations.empty(); }},
    CommonObligation{"nothing was searched", [](const Evidence& e) { return e.expanded != 0; }},
    CommonObligation{"there was no initial state",
                     [](const Evidence& e) { return e.initial_states != 0; }},
    CommonObligation{"the bound on omitted states is not a probability",
                     [](const Evidence& e) {
                       return !e.omission_bound || (*e.omission_bound > 0 && *e.omission_bound < 1);
                     }},
};

// The first one that is not met; empty if all are.
std::string_view unmet_obligation(const Evidence& e) {
  for (const CommonObligation& obligation : kCommonObligations)
    if (!obligation.met(e)) return obligation.unmet;
  for (const Obligation& obligation : e.obligations)
    if (!obligation.met) return obligation.unmet;
  return "";
}

// What only all states together can violate.
bool needs_all_states(const Finding& finding) {
  return finding.kind == PropertyKind::cover || finding.kind == PropertyKind::reachable ||
         finding.kind == PropertyKind::ctl;
}

// What has no state where it is violated.
bool is_of_all_states(const Finding& finding) {
  return needs_all_states(finding) || finding.kind == PropertyKind::acceptance;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view several) {
  return count == 1 ? fmt::format("a {}", one) : fmt::format("{} {}", with_commas(count), several);
}

std::string counterexample_of(std::uint64_t steps) {
  return fmt::format("counterexample of {} step{}", with_commas(steps), steps == 1 ? "" : "s");
}

// They have the same length, unless the search went on.
std::string counterexamples_of_states(const std::vector<Finding>& findings) {
  std::set<std::uint64_t> lengths;
  for (const Finding& finding : findings)
    if (!is_of_all_states(finding)) lengths.insert(finding.depth);
  if (lengths.empty()) return "";
  if (lengths.size() == 1) return counterexample_of(*lengths.begin());
  std::vector<std::string> all;
  for (const std::uint64_t length : lengths) all.push_back(with_commas(length));
  const std::string last = all.back();
  all.pop_back();
  return fmt::format("counterexamples of {} and {} steps", fmt::join(all, ", "), last);
}

// One part for each kind of finding, so that nothing is said of one that is true of another.
std::string violation_reason(const std::vector<Finding>& findings) {
  std::vector<std::string> parts;
  const auto covers = static_cast<std::uint64_t>(
      std::ranges::count(findings, PropertyKind::cover, [](const Finding& f) { return f.kind; }));
  if (covers != 0)
    parts.push_back(counted(covers, "cover property holds in no reachable state",
                            "cover properties hold in no reachable state"));
  if (const std::string in_states = counterexamples_of_states(findings); !in_states.empty())
    parts.push_back(in_states);
  for (const Finding& finding : findings)
    if (finding.kind == PropertyKind::reachable)
      parts.push_back(fmt::format("{} for a liveness property", counterexample_of(finding.depth)));
    else if (finding.kind == PropertyKind::ctl)
      parts.push_back(
          fmt::format("{}{} for a CTL formula", counterexample_of(finding.depth),
                      finding.loop.empty()
                          ? ""
                          : fmt::format(" and a loop of {}", with_commas(finding.loop.size()))));
    else if (finding.kind == PropertyKind::acceptance)
      parts.push_back(fmt::format("{} and a loop of {}", counterexample_of(finding.depth),
                                  with_commas(finding.loop.size())));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// With one digit after the point, and not less than it is.
std::string rounded_up(double bound) {
  std::string text = fmt::format("{:.1e}", bound);
  if (std::stod(text) < bound)
    text = fmt::format("{:.1e}", bound + 0.05 * std::pow(10, std::floor(std::log10(bound))));
  return text;
}

Verdict bug(std::string_view why) {
  return {Outcome::error, Exit::internal,
          fmt::format("internal error: the result cannot be called verified, because {}", why)};
}

Verdict nothing_to_verify() {
  return {Outcome::error, Exit::model,
          "the model has no initial state: there is nothing to verify"};
}

Verdict judge_violation(const Evidence& e, std::string_view unmet) {
  if (!e.traces_confirmed)
    return {Outcome::error, Exit::internal,
            "a violation was found, but its counterexample was not confirmed"};
  if (std::ranges::all_of(e.findings, is_of_all_states) && e.initial_states == 0)
    return nothing_to_verify();
  if (std::ranges::any_of(e.findings, needs_all_states) && !unmet.empty()) return bug(unmet);
  const auto first =
      std::ranges::min_element(e.findings, {}, [](const Finding& f) { return f.kind; });
  std::string reason = violation_reason(e.findings);
  if (is_cut_short(e))
    for (const StopRow& row : kStops)
      if (row.stop == *e.stop) reason += fmt::format("; then {}", row.reason);
  return {Outcome::violated, exit_of(first->kind), std::move(reason)};
}

Verdict judge_stop(const Evidence& e) {
  for (const StopRow& row : kStops) {
    if (row.stop != *e.stop) continue;
    std::string reason(row.reason);
    if (e.search_returned && row.stop != Stop::goals)
      reason += ", after the search, before all properties were decided";
    if (e.untraced) reason += "; a violation was found, but not its counterexample";
    return {Outcome::inconclusive, row.exit, std::move(reason)};
  }
  return {Outcome::error, Exit::internal,
          "internal error: the search stopped for an unknown reason"};
}

// Of a search that was not stopped and found nothing.
Verdict judge_end(const Evidence& e, std::string_view unmet) {
  if (e.initial_states == 0) return nothing_to_verify();
  if (e.search_returned && e.omission_bound && *e.omission_bound >= 1)
    return {Outcome::inconclusive, Exit::bound,
            fmt::format("signatures are too short: about {:.0f} states may have been omitted",
                        *e.omission_bound)};
  if (!unmet.empty()) return bug(unmet);
  if (!e.goals_decided) return bug("not all properties were decided");
  if (e.cover_open)
    return {Outcome::inconclusive, Exit::bound,
            "a cover property was not seen to hold, but signatures may have omitted states: use "
            "--store=full"};
  if (!e.unchecked.empty())
    return {Outcome::inconclusive, Exit::unchecked,
            fmt::format("no violation was found in any state, but this was not checked: {}",
                        quoted_names(e.unchecked, '"'))};
  if (e.omission_bound)
    return {Outcome::verified_probabilistic, Exit::verified,
            fmt::format("complete, unless states were omitted, with a probability of at most {}",
                        rounded_up(*e.omission_bound))};
  return {Outcome::verified, Exit::verified, "exhaustive, exact"};
}

}  // namespace

std::vector<Obligation> every_state_expanded(std::uint64_t stored, std::uint64_t expanded) {
  return {{"states were stored but not expanded", stored <= expanded},
          {"states were expanded but not stored", stored >= expanded}};
}

Obligation levels_add_up(std::uint64_t counted, std::uint64_t expanded) {
  return {"levels do not add up to the states expanded", counted == expanded};
}

std::span<const ExitCode> exit_codes() { return kExitCodes; }

Exit exit_of(Fault fault) {
  switch (fault) {
    case Fault::usage: return Exit::usage;
    case Fault::model: return Exit::model;
    case Fault::system: return Exit::system;
    case Fault::memory: return Exit::memory;
    case Fault::disk: return Exit::disk;
    case Fault::lost: return Exit::lost;
    case Fault::integrity: return Exit::integrity;
    case Fault::internal: return Exit::internal;
  }
  return Exit::internal;
}

Verdict judge(const Evidence& e) {
  if (e.fault) return {Outcome::error, exit_of(*e.fault), e.fault_sentence};
  const std::string_view unmet = unmet_obligation(e);
  Verdict verdict = !e.findings.empty() ? judge_violation(e, unmet)
                    : e.stop            ? judge_stop(e)
                                        : judge_end(e, unmet);
  if (verdict.outcome == Outcome::error) return verdict;
  // A state in which a rule has failed may have more successors.
  verdict.complete = unmet.empty() && std::ranges::none_of(e.findings, is_failure);
  verdict.probabilistic = e.omission_bound.has_value();
  verdict.final = !is_cut_short(e);
  return verdict;
}

Outcome judge(const PropertyEvidence& property, const Verdict& verdict) {
  if (verdict.outcome == Outcome::error) return Outcome::inconclusive;
  if (property.violated) return Outcome::violated;
  if (property.kind == PropertyKind::cover)
    return property.decided ? Outcome::verified : Outcome::inconclusive;
  const bool of_runs = property.kind == PropertyKind::reachable ||
                       property.kind == PropertyKind::acceptance ||
                       property.kind == PropertyKind::ctl;
  if (of_runs && !property.decided) return Outcome::inconclusive;
  if (!verdict.complete) return Outcome::inconclusive;
  return verdict.probabilistic ? Outcome::verified_probabilistic : Outcome::verified;
}

std::string_view word(Outcome outcome) {
  switch (outcome) {
    case Outcome::verified: return "VERIFIED";
    case Outcome::verified_probabilistic: return "VERIFIED (probabilistic)";
    case Outcome::violated: return "VIOLATED";
    case Outcome::inconclusive: return "INCONCLUSIVE";
    case Outcome::error: return "ERROR";
  }
  return "ERROR";
}

std::string_view json_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::verified: return "verified";
    case Outcome::verified_probabilistic: return "verified-probabilistic";
    case Outcome::violated: return "violated";
    case Outcome::inconclusive: return "inconclusive";
    case Outcome::error: return "error";
  }
  return "error";
}

}  // namespace spillway
