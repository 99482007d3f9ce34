// A violation that a search can find.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/state.h"
#include "model/model.h"

namespace spillway {

struct Finding {
  PropertyKind kind;
  // Of the model, or the number of a CTL formula; 0 for a deadlock or run-time error.
  PropertyIndex property = 0;
  // Steps from an initial state.  Least of all violating states if the search goes by levels.
  std::uint64_t depth = 0;
  // The state.  Empty for cover, and if no initial state could be computed.
  std::vector<Word> row;
  // For an assertion or run-time error: the rule that failed in that state.
  std::optional<Failure> failure = {};
  // For acceptance: the states of a cycle that begins in `row`, from the one after it to itself;
  // and those on the way to `row`, if the search does not leave them to the reader of its levels.
  std::vector<std::vector<Word>> stem = {}, loop = {};
  // For acceptance: no way to a cycle has fewer steps, together with the cycle.
  bool minimal = false;
  // For CTL, where both may be there as well: the name of the formula; and whether these states do
  // not suffice to show that it is false.
  std::string formula = {};
  bool partial = false;
};

inline PropertyKind kind_of(const Failure& failure) {
  return failure.assertion ? PropertyKind::assertion : PropertyKind::runtime_error;
}

// A rule has failed in that state: the successors that the model has listed may not be all.
inline bool is_failure(const Finding& finding) {
  return finding.kind == PropertyKind::assertion || finding.kind == PropertyKind::runtime_error;
}
// It is seen when the state is expanded.
inline bool is_of_one_state(const Finding& finding) {
  return finding.kind <= PropertyKind::runtime_error;
}

// Of branching time.
inline bool is_of_formula(const Finding& finding) { return finding.kind == PropertyKind::ctl; }

// True if a state with these successors is a deadlock.
inline bool is_deadlock(Deadlock convention, State state, States successors) {
  if (convention == Deadlock::off) return false;
  if (convention == Deadlock::stuck) return successors.empty();
  for (const State s : successors)
    if (!equal(s, state)) return false;
  return true;
}

}  // namespace spillway
