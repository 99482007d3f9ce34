#include "ltl/automaton/reduce.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ltl/automaton/fewer_sets.h"
#include "ltl/automaton/labels.h"
#include "ltl/automaton/simulation.h"

namespace spillway::ltl {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;

auto size_of(const Automaton& automaton) {
  std::size_t transitions = 0;
  for (const auto& out : automaton.transitions) transitions += out.size();
  return std::tuple(automaton.states(), transitions, automaton.sets, automaton.initial.size());
}

// Moves what leads to state s to to[s].
void redirect(Automaton& automaton, const std::vector<std::uint32_t>& to) {
  for (std::uint32_t& state : automaton.initial) state = to[state];
  std::ranges::sort(automaton.initial);
  automaton.initial.erase(std::unique(automaton.initial.begin(), automaton.initial.end()),
                          automaton.initial.end());
  for (auto& out : automaton.transitions)
    for (Transition& transition : out) transition.target = to[transition.target];
}

// Removes transitions where others, with at least their marks, lead to states that simulate their
// target; and initial states likewise.
void drop_dominated(Automaton& automaton, const Simulation& simulation) {
  for (auto& out : automaton.transitions) {
    for (std::size_t i = out.size(); i-- > 0;) {
      std::vector<Label> labels;
      for (std::size_t j = 0; j < out.size(); ++j)
        if (i != j && (out[i].marks & ~out[j].marks) == 0 &&
            simulation.simulates(out[i].target, out[j].target))
          labels.push_back(out[j].label);
      if (is_covered(out[i].label, labels)) out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  auto& initial = automaton.initial;
  for (std::size_t i = initial.size(); i-- > 0;)
    for (std::size_t j = 0; j < initial.size(); ++j)
      if (i != j && simulation.simulates(initial[i], initial[j])) {
        initial.erase(initial.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
}

// One state for all that simulate each other.
void merge_similar(Automaton& automaton) {
  const Simulation simulation(automaton, Simulation::Marks::all);
  drop_dominated(automaton, simulation);
  std::vector<std::uint32_t> to(automaton.states());
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    to[state] = state;
    for (std::uint32_t before = 0; before < state && to[state] == state; ++before)
      if (simulation.same(before, state)) to[state] = to[before];
  }
  redirect(automaton, to);
}

// All transitions backward.  One more state, the last, is where words begin; a set of its own tells
// the transitions there.
Automaton reversed(const Automaton& automaton) {
  Automaton result;
  result.sets = automaton.sets + 1;
  result.transitions.resize(automaton.states() + 1);
  for (std::uint32_t state = 0; state < automaton.states(); ++state)
    for (const Transition& transition : automaton.transitions[state])
      result.transitions[transition.target].push_back({transition.label, transition.marks, state});
  for (const std::uint32_t state : automaton.initial)
    result.transitions[state].push_back({{}, SetMask{1} << automaton.sets, automaton.states()});
  return result;
}

// One state for all that can be reached by the same beginnings of words with the same marks.  It
// has the transitions of all of them.
void merge_same_past(Automaton& automaton) {
  if (automaton.sets == kMostSets) return;
  const Automaton backward = reversed(automaton);
  const Simulation simulation(backward, Simulation::Marks::all);
  std::vector<std::uint32_t> to(automaton.states());
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    to[state] = state;
    for (std::uint32_t before = 0; before < state && to[state] == state; ++before)
      if (simulation.same(before, state)) to[state] = to[before];
    if (to[state] == state) continue;
    auto &kept = automaton.transitions[to[state]], &moved = automaton.transitions[state];
    kept.insert(kept.end(), moved.begin(), moved.end());
  }
  redirect(automaton, to);
}

// A state that accepts the same words as one that is reached later, in a component from which there
// is no way back, is replaced by that one.  A run does that at most once, so what it meets for ever
// stays the same.
void leave_early(Automaton& automaton) {
  const Simulation simulation(automaton, Simulation::Marks::of_cycles);
  const Components found = components(automaton);
  std::vector<std::uint32_t> by_component(automaton.states()), to(automaton.states());
  for (std::uint32_t state = 0; state < automaton.states(); ++state) by_component[state] = state;
  std::ranges::stable_sort(by_component, {}, [&](std::uint32_t state) { return found.of[state]; });
  for (const std::uint32_t state : by_component) {
    to[state] = state;
    for (const std::uint32_t later : by_component) {
      if (found.of[later] >= found.of[state]) break;
      if (!simulation.same(later, state)) continue;
      to[state] = to[later];
      break;
    }
  }
  redirect(automaton, to);
}

}  // namespace

void merge_labels(Automaton& automaton) {
  for (auto& out : automaton.transitions) {
    std::map<std::pair<std::uint32_t, SetMask>, std::vector<Label>> labels;
    for (const Transition& transition : out)
      labels[{transition.target, transition.marks}].push_back(transition.label);
    out.clear();
    for (auto& [key, of_key] : labels)
      for (const Label& label : merged(std::move(of_key)))
        out.push_back({label, key.second, key.first});
  }
}

Automaton pruned(const Automaton& automaton) {
  const Components found = components(automaton);
  const auto useful = [&](std::uint32_t state) { return found.useful[found.of[state]]; };
  Automaton result;
  result.propositions = automaton.propositions;
  result.sets = automaton.sets;
  std::vector<std::uint32_t> number(automaton.states(), kNowhere), reached;
  const auto reach = [&](std::uint32_t state) {
    if (number[state] == kNowhere) {
      number[state] = static_cast<std::uint32_t>(reached.size());
      reached.push_back(state);
    }
    return number[state];
  };
  for (const std::uint32_t state : automaton.initial)
    if (useful(state)) result.initial.push_back(reach(state));
  for (std::size_t at = 0; at < reached.size(); ++at) {
    std::vector<Transition> out;
    for (Transition transition : automaton.transitions[reached[at]]) {
      if (!useful(transition.target)) continue;
      transition.target = reach(transition.target);
      out.push_back(transition);
    }
    result.transitions.push_back(std::move(out));
  }
  if (!result.initial.empty()) return with_fewer_sets(result);
  result.initial = {0};
  result.transitions = {{}};
  result.sets = 0;
  return result;
}

Automaton reduced(Automaton automaton) {
  automaton = pruned(automaton);
  merge_labels(automaton);
  if (!Simulation::is_affordable(automaton)) return automaton;
  for (auto before = size_of(automaton);; before = size_of(automaton)) {
    merge_similar(automaton);
    automaton = pruned(automaton);
    leave_early(automaton);
    automaton = pruned(automaton);
    merge_same_past(automaton);
    automaton = pruned(automaton);
    merge_labels(automaton);
    if (size_of(automaton) >= before) return automaton;
  }
}

}  // namespace spillway::ltl
