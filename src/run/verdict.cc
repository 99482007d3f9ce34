#include "run/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/quantity.h"

namespace spillway {
namespace {

constexpr std::array kExitCodes = {
    ExitCode{Exit::verified, "VERIFIED: all properties hold and the search was complete"},
    ExitCode{Exit::usage, "the command line is wrong"},
    ExitCode{Exit::deadlock, "VIOLATED: a deadlock can be reached"},
    ExitCode{Exit::invariant, "VIOLATED: an invariant is false in a reachable state"},
    ExitCode{Exit::reachable, "VIOLATED: from some reachable state a goal cannot be reached"},
    ExitCode{Exit::assertion, "VIOLATED: an assertion in a rule fails"},
    ExitCode{Exit::cover, "VIOLATED: a cover property never holds"},
    ExitCode{Exit::time, "INCONCLUSIVE: the time limit was reached"},
    ExitCode{Exit::disk, "INCONCLUSIVE: the disk is full, or as full as it may be"},
    ExitCode{Exit::memory, "INCONCLUSIVE: the memory limit was reached"},
    ExitCode{Exit::bound, "INCONCLUSIVE: a bound on depth, states or the length of signatures was reached"},
    ExitCode{Exit::runtime_error, "VIOLATED: a rule ends with a run-time error of the model"},
    ExitCode{Exit::interrupted, "INCONCLUSIVE: interrupted (SIGINT)"},
    ExitCode{Exit::terminated, "INCONCLUSIVE: terminated (SIGTERM)"},
    ExitCode{Exit::model, "ERROR: the model cannot be read or breaks its promises"},
    ExitCode{Exit::system, "ERROR: the operating system refused something"},
    ExitCode{Exit::integrity, "ERROR: stored data is not what was written"},
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
    StopRow{Stop::disk, Exit::disk, "there is no more room on disk"},
    StopRow{Stop::depth, Exit::bound, "the depth bound was reached"},
    StopRow{Stop::states, Exit::bound, "the bound on the number of states was reached"},
    StopRow{Stop::interrupted, Exit::interrupted, "interrupted"},
    StopRow{Stop::terminated, Exit::terminated, "terminated"},
};

Exit exit_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::invariant: return Exit::invariant;
    case FindingKind::assertion: return Exit::assertion;
    case FindingKind::deadlock: return Exit::deadlock;
    case FindingKind::runtime_error: return Exit::runtime_error;
    case FindingKind::cover: return Exit::cover;
    case FindingKind::reachable: return Exit::reachable;
  }
  return Exit::internal;
}

// What must hold before anything may be called verified.  An obligation that is not met when nothing else
// explains it is a bug in Spillway.
struct Obligation {
  std::string_view unmet;
  bool (*met)(const Evidence&);
};
constexpr std::array kObligations = {
    Obligation{"the search did not come to its end", [](const Evidence& e) { return e.search_returned; }},
    Obligation{"a limit was hit", [](const Evidence& e) { return !e.stop; }},
    Obligation{"something was found", [](const Evidence& e) { return e.findings.empty(); }},
    Obligation{"states were stored but not expanded", [](const Evidence& e) { return e.stored <= e.expanded; }},
    Obligation{"states were expanded but not stored", [](const Evidence& e) { return e.stored >= e.expanded; }},
    Obligation{"levels do not add up to the states expanded",
               [](const Evidence& e) { return e.counted == e.expanded; }},
    Obligation{"nothing was searched", [](const Evidence& e) { return e.expanded != 0; }},
    Obligation{
        "the bound on omitted states is no probability",
        [](const Evidence& e) { return !e.omission_bound || (*e.omission_bound >= 0 && *e.omission_bound < 1); }},
};

}  // namespace

std::span<const ExitCode> exit_codes() { return kExitCodes; }

Exit exit_of(Fault fault) {
  switch (fault) {
    case Fault::usage: return Exit::usage;
    case Fault::model: return Exit::model;
    case Fault::system: return Exit::system;
    case Fault::memory: return Exit::memory;
    case Fault::disk: return Exit::disk;
    case Fault::integrity: return Exit::integrity;
    case Fault::internal: return Exit::internal;
  }
  return Exit::internal;
}

Verdict judge(const Evidence& e) {
  if (e.fault) return {Outcome::error, exit_of(*e.fault), e.fault_sentence};
  if (!e.findings.empty()) {
    if (!e.traces_confirmed)
      return {Outcome::error, Exit::internal, "a violation was found, but its counterexample was not confirmed"};
    const auto first = std::min_element(e.findings.begin(), e.findings.end(),
                                        [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
    if (first->kind == FindingKind::cover)
      return {Outcome::violated, Exit::cover, "it holds in no reachable state; the search was complete"};
    return {Outcome::violated, exit_of(first->kind),
            fmt::format("counterexample of {} steps", with_commas(first->depth))};
  }
  if (e.stop) {
    for (const StopRow& row : kStops)
      if (row.stop == *e.stop) return {Outcome::inconclusive, row.exit, std::string(row.reason)};
    return {Outcome::error, Exit::internal, "the search stopped for a reason that has no name"};
  }
  if (e.initial_states == 0)
    return {Outcome::error, Exit::model, "the model has no initial state: there is nothing to verify"};
  if (e.search_returned && e.omission_bound && *e.omission_bound >= 1)
    return {Outcome::inconclusive, Exit::bound,
            fmt::format("signatures are too short: about {:.0f} states may have been omitted", *e.omission_bound)};
  for (const Obligation& obligation : kObligations)
    if (!obligation.met(e))
      return {Outcome::error, Exit::internal,
              fmt::format("internal error: nothing may be called verified, because {}", obligation.unmet)};
  if (e.omission_bound)
    return {Outcome::verified_probabilistic, Exit::verified,
            fmt::format("complete but for omitted states, probability below {:.1e}", *e.omission_bound)};
  return {Outcome::verified, Exit::verified, "exhaustive, exact"};
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
