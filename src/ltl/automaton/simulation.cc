#include "ltl/automaton/simulation.h"

#include "ltl/automaton/labels.h"

namespace spillway::ltl {

bool Simulation::is_affordable(const Automaton& automaton) {
  constexpr std::size_t kMostComparisons = 20'000'000;
  std::size_t transitions = 0;
  for (const auto& out : automaton.transitions) transitions += out.size();
  return automaton.states() < 2000 && transitions * transitions < kMostComparisons;
}

Simulation::Simulation(const Automaton& automaton, Marks marks) : automaton_(automaton) {
  find_bounds(marks);
  const std::uint32_t states = automaton.states();
  relation_.assign(std::size_t{states} * states, true);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t small = 0; small < states; ++small)
      for (std::uint32_t large = 0; large < states; ++large)
        if (small != large && simulates(small, large) && !can_follow(small, large)) {
          relation_[std::size_t{small} * states + large] = false;
          changed = true;
        }
  }
}

void Simulation::find_bounds(Marks marks) {
  const Components found = components(automaton_);
  bounds_.resize(automaton_.states());
  for (std::uint32_t state = 0; state < automaton_.states(); ++state)
    for (const Transition& transition : automaton_.transitions[state]) {
      Bounds bounds{transition.marks, transition.marks};
      if (marks == Marks::of_cycles) {
        const bool inside = found.of[state] == found.of[transition.target];
        if (!inside)
          bounds = {0, all_sets(automaton_.sets)};
        else if (!found.accepting[found.of[state]])
          bounds = {0, 0};
      }
      bounds_[state].push_back(bounds);
    }
}

bool Simulation::can_follow(std::uint32_t small, std::uint32_t large) const {
  const auto &from = automaton_.transitions[small], &with = automaton_.transitions[large];
  std::vector<Label> labels;
  for (std::size_t i = 0; i < from.size(); ++i) {
    labels.clear();
    for (std::size_t j = 0; j < with.size(); ++j)
      if ((bounds_[small][i].asked & ~bounds_[large][j].given) == 0 &&
          simulates(from[i].target, with[j].target))
        labels.push_back(with[j].label);
    if (!is_covered(from[i].label, labels)) return false;
  }
  return true;
}

}  // namespace spillway::ltl
