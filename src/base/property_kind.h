// What a property says, or a finding violates.
#pragma once

namespace spillway {

// In the order in which the findings of a level are reported.
enum class PropertyKind {
  invariant,      // holds in every reachable state
  assertion,      // holds while a rule runs
  deadlock,       // there is none
  runtime_error,  // likewise
  cover,          // holds in some reachable state
  reachable,      // from every reachable state, some state where it holds can be reached
  acceptance,     // a property process or an automaton accepts no run
  ctl,            // a formula of branching time
  ltl,            // a formula of runs; what violates it is a finding of its product: acceptance
  assumption,     // states where it does not hold do not exist
};

}  // namespace spillway
