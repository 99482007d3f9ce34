#include "ltl/automaton/strength.h"

#include <algorithm>

#include "ltl/automaton/labels.h"

namespace spillway::ltl {
namespace {

// The states of accepting components accept every word: whatever comes, one of them follows.
bool is_terminal(const Automaton& automaton, const Components& components) {
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    if (!components.accepting[components.of[state]]) continue;
    std::vector<Label> labels;
    for (const Transition& transition : automaton.transitions[state])
      if (components.accepting[components.of[transition.target]])
        labels.push_back(transition.label);
    if (!is_covered({}, labels)) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> weak_components(const Automaton& automaton, const Components& components) {
  std::vector<bool> weak = components.accepting;
  for (unsigned set = 0; set < automaton.sets; ++set) {
    // Cycles that avoid the set.
    Automaton avoiding;
    avoiding.transitions.resize(automaton.states());
    for (std::uint32_t state = 0; state < automaton.states(); ++state)
      for (const Transition& transition : automaton.transitions[state])
        if (components.of[transition.target] == components.of[state] &&
            ((transition.marks >> set) & 1) == 0)
          avoiding.transitions[state].push_back({transition.label, 0, transition.target});
    const Components rest = spillway::ltl::components(avoiding);
    for (std::uint32_t state = 0; state < automaton.states(); ++state)
      if (rest.accepting[rest.of[state]]) weak[components.of[state]] = false;
  }
  return weak;
}

Strength strength(const Automaton& automaton) {
  const Components found = components(automaton);
  if (weak_components(automaton, found) != found.accepting) return Strength::strong;
  return is_terminal(automaton, found) ? Strength::terminal : Strength::weak;
}

}  // namespace spillway::ltl
