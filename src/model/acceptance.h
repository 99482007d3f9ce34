// The property of infinite runs that acceptance defines: no run meets every acceptance set for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/state.h"
#include "model/conditions.h"

namespace spillway {

// A run that goes round a loop for ever: the last state is that at `loop_start` again.
struct Lasso {
  std::vector<State> states;
  std::vector<RuleIndex> rules;  // that produced each; kNoRule for the first, if none did
  std::size_t loop_start = 0;
};

class Acceptance {
 public:
  virtual ~Acceptance() = default;
  // The name of the property.  Without it, nothing is said about runs.
  virtual std::optional<std::string> property() const { return std::nullopt; }
  // If the model marks steps, Transitions::successors() writes the sets of each step.  Otherwise
  // there is one set, of the steps from accepting states.
  virtual bool marks_steps() const { return false; }
  virtual unsigned sets() const { return property() ? 1 : 0; }
  virtual bool accepting(State /*state*/) const { return false; }
  // An accepting cycle stays within one part.  kNoPart: there is none through this state.
  static constexpr std::uint32_t kNoPart = UINT32_MAX;
  virtual std::uint32_t part(State /*state*/) const { return 0; }
  // Whether an accepted run violates the property by its own definition, of which acceptance is a
  // translation.
  virtual bool is_violated_by(const Lasso& /*run*/) const { return true; }
  // A remark for the user on an accepted run; empty if there is nothing to say.
  virtual std::string about(const Lasso& /*run*/) const { return ""; }
};

inline const Acceptance kNoAcceptance;

}  // namespace spillway
