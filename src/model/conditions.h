// What is asked of the states and rules of a model, and what holds in a state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/property_kind.h"
#include "base/set_mask.h"
#include "base/state.h"
#include "base/text/diagnostic.h"
#include "model/coverage.h"

namespace spillway {

using RuleIndex = std::uint32_t;
using PropertyIndex = std::uint32_t;

// For an initial state that no named rule produced.
inline constexpr RuleIndex kNoRule = UINT32_MAX;

struct Property {
  std::string name;
  PropertyKind kind;
  std::uint32_t line = 0, column = 0;  // in the text of the model; 0: unknown
  bool in_rules = false;               // cover: its condition is evaluated where it stands in rules
};

// A property that no search can decide yet.
struct Unchecked {
  std::string name;
  PropertyKind kind;  // acceptance, or invariant of a property process
};

// Which states count as deadlocks.
enum class Deadlock {
  off,         // none
  stuck,       // those without a successor
  stuttering,  // those without a successor other than themselves
};

// A rule that could not be carried out.
struct Failure {
  RuleIndex rule = 0;
  std::optional<PropertyIndex> assertion;  // std::nullopt: a run-time error
  std::string message;
  SourcePosition position = {};  // in the text of the model
};

class Conditions {
 public:
  virtual ~Conditions() = default;
  // Writes the invariants that are false in `state`, and the cover and reachable properties that
  // are true in it, to `noted`, in increasing order, and returns how many.  REQUIRES: `noted` has
  // room for all properties.  What is observed is noted in `observed`, if it is there.
  virtual std::size_t check(State /*state*/, PropertyIndex* /*noted*/,
                            Observed* /*observed*/ = nullptr) const {
    return 0;
  }
  // Whether what was observed in a search shows that a cover property has held.
  virtual bool is_covered(PropertyIndex /*property*/, const Observed& /*observed*/) const {
    return false;
  }

  // Propositions of formulas, which were given to the model when it was opened.  Bit i of the
  // letter of a state is set if proposition i holds in it.  `failure` is set if one cannot be
  // evaluated.  evaluate_again() does the same by other means, if there are any.
  virtual std::size_t propositions() const { return 0; }
  virtual Letter evaluate(State /*state*/, std::optional<Failure>& /*failure*/) const { return 0; }
  virtual Letter evaluate_again(State state, std::optional<Failure>& failure) const {
    return evaluate(state, failure);
  }
};

inline const Conditions kNoConditions;

}  // namespace spillway
