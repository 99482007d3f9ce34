// Weak fairness: whoever can act for ever does so now and then.
//
// An actor is an instance of a rule, or a process.  It is enabled in a state if one of its rules
// leads to another state, and it acts in a step that one of its rules takes to another state.  A
// run is fair to an actor if the actor is disabled again and again, or acts again and again.  This
// is WF of TLA+, where a step that changes nothing does not count either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace spillway {

class FairActors {
 public:
  FairActors() = default;

  // Those of the rules whose name matches one of the patterns, which are like those of a shell; or,
  // for "processes", all processes.  Throws Error(usage) if a pattern matches nothing, or if there
  // are more than `most`; `who` is what is said to have processes.
  FairActors(const Description& system, const std::vector<std::string>& patterns, std::size_t most,
             std::string_view who);

  bool empty() const { return names_.empty(); }
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t actor) const { return names_[actor]; }

  // The actors that a rule belongs to.
  SetMask of(RuleIndex rule) const { return rule < of_rule_.size() ? of_rule_[rule] : 0; }
  // Those that are enabled in a state with these successors, from index `first` on.
  SetMask enabled(State state, const Successors& out) const;
  // Those to which a step is fair: they act in it, or are disabled before it.
  SetMask served(SetMask enabled, RuleIndex rule, bool changes) const {
    return (all_sets(size()) & ~enabled) | (changes ? of(rule) : 0);
  }

 private:
  std::vector<std::string> names_;
  std::vector<SetMask> of_rule_;
};

}  // namespace spillway
