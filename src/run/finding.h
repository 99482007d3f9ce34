// What a search can find wrong with a model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/state.h"
#include "model/model.h"

namespace spillway {

// In the order in which they are reported when a level has several.
enum class FindingKind { invariant, assertion, deadlock, runtime_error, cover, reachable };

struct Finding {
  FindingKind kind;
  PropertyIndex property = 0;      // of the model, unless it is a deadlock or run-time error
  std::uint64_t depth = 0;         // steps from an initial state: no other state violates it nearer
  std::vector<Word> row;           // the state; empty when not even an initial state could be made, and for cover
  std::optional<Failure> failure;  // of an assertion or run-time error: the rule that failed in that state
};

// Whether a state with these successors is a deadlock.
inline bool is_deadlock(Deadlock convention, State state, States successors) {
  if (convention == Deadlock::off) return false;
  if (convention == Deadlock::stuck) return successors.empty();
  for (const State s : successors)
    if (!equal(s, state)) return false;
  return true;
}

}  // namespace spillway
