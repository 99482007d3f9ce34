// The only place where verdicts are made: from what was done to what may be claimed.
//
// VERIFIED requires every obligation of a table to be met.  No other code decides, and only reports
// that are given a Verdict may print the word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "check/facts/finding.h"
#include "check/facts/limits.h"

namespace spillway {

enum class Outcome { verified, verified_probabilistic, violated, inconclusive, error };

// Exit codes of the program; one row each in exit_codes().
enum class Exit : int {
  verified = 0,
  not_as_expected = 1,
  usage = 2,
  deadlock = 11,
  invariant = 12,
  reachable = 13,
  assertion = 14,
  cover = 15,
  time = 20,
  disk = 21,
  memory = 22,
  bound = 23,
  unchecked = 24,
  simulated = 25,
  lost = 26,
  dead_rules = 30,
  runtime_error = 75,
  interrupted = 130,
  terminated = 143,
  model = 150,
  system = 153,
  integrity = 154,
  internal = 255,
};

struct ExitCode {
  Exit code;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();
Exit exit_of(Fault fault);

// Something that must be true before a search may be called complete.  Every engine contributes
// those that it can vouch for.  One that is not met when nothing else explains it is a bug in
// Spillway.
struct Obligation {
  std::string_view unmet;  // what is wrong if it is not met
  bool met = false;
};
std::vector<Obligation> every_state_expanded(std::uint64_t stored, std::uint64_t expanded);
Obligation levels_add_up(std::uint64_t counted, std::uint64_t expanded);

// What was done.  The defaults describe a search that did not take place.
struct Evidence {
  bool search_returned = false;  // normally: nothing was left to expand
  bool goals_decided = false;    // all cover and reachable properties were decided
  bool cover_open = false;       // but one was not seen to hold, and states may be missing
  std::optional<Stop> stop;      // a limit or a signal ended it
  std::optional<Fault> fault;    // something failed
  std::string fault_sentence;
  std::vector<Finding> findings;       // in the states that were expanded, or of all states
  bool traces_confirmed = false;       // every counterexample was replayed
  bool untraced = false;               // a limit came between findings and their counterexamples
  std::vector<std::string> unchecked;  // properties that no search can decide
  std::uint64_t initial_states = 0;
  std::uint64_t expanded = 0;            // states expanded, each with all its checks
  std::vector<Obligation> obligations;   // of the engine; none: it has vouched for nothing
  std::optional<double> omission_bound;  // of a search that stores signatures
};

struct Verdict {
  Outcome outcome = Outcome::error;
  Exit exit = Exit::internal;
  std::string reason;  // one line; for VERIFIED, what it rests on
  // All reachable states were expanded, so a violation that was not found does not exist.
  bool complete = false;
  bool probabilistic = false;  // except in states that were omitted
  bool final = false;          // resuming the search cannot change it
};

[[nodiscard]] Verdict judge(const Evidence& evidence);

// What is known about one property.
struct PropertyEvidence {
  PropertyKind kind;
  bool violated = false;  // and confirmed
  // Cover: it was seen to hold.  Reachable: it was decided for all states.  Unused for others.
  bool decided = false;
};

// What may be claimed about a property, in a check that ended with this verdict.
[[nodiscard]] Outcome judge(const PropertyEvidence& property, const Verdict& verdict);

std::string_view word(Outcome outcome);       // VERIFIED, VIOLATED, ...
std::string_view json_word(Outcome outcome);  // verified, verified-probabilistic, ...

}  // namespace spillway
