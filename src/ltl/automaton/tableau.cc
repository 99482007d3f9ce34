#include "ltl/automaton/tableau.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "base/error.h"

namespace spillway::ltl {
namespace {

constexpr TermId kNoPromise = UINT32_MAX;
// Comparing each step with each other is worth the time for so many.
constexpr std::size_t kComparedSteps = 1500;

[[noreturn]] void refuse_size(std::size_t most, std::string_view what) {
  throw Error(Fault::model, fmt::format("the automaton of the formula has more than {} {}; split "
                                        "the formula into several, or leave out operators",
                                        most, what));
}

}  // namespace

auto Tableau::TableauStep::operator<=>(const TableauStep& other) const {
  return std::tie(label.positive, label.negative, promises, next) <=>
         std::tie(other.label.positive, other.label.negative, other.promises, other.next);
}

Automaton Tableau::build(TermId root) {
  Automaton automaton;
  automaton.initial = {state(obligations(root))};
  for (std::size_t at = 0; at < of_state_.size(); ++at) {
    std::vector<Transition> out;
    for (const TableauStep& step : *of_state_[at])  // promises become marks when all are known
      out.push_back({step.label, step.promises, state(step.next)});
    automaton.transitions.push_back(std::move(out));
  }
  automaton.sets = static_cast<unsigned>(promises_.size());
  for (auto& out : automaton.transitions)
    for (Transition& transition : out)
      transition.marks = all_sets(automaton.sets) & ~transition.marks;
  return automaton;
}

std::uint32_t Tableau::state(const Obligations& set) {
  const auto known = states_.find(set);
  if (known != states_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(of_state_.size());
  const auto [entry, is_new] = equal_.emplace(all(set), number);
  if (is_new) {
    if (number == kMostStates) refuse_size(kMostStates, "states");
    transitions_ += entry->first.size();
    if (transitions_ > kMostTransitions) refuse_size(kMostTransitions, "transitions");
    of_state_.push_back(&entry->first);
  }
  states_.emplace(set, entry->second);
  return entry->second;
}

Tableau::Obligations Tableau::obligations(TermId id) const {
  if (id == Terms::kTrue) return {};
  if (terms_[id].kind == TermKind::all_of) return terms_[id].parts;
  return {id};
}

const Tableau::Steps& Tableau::unfolded(TermId id) {
  const auto known = unfolded_.find(id);
  if (known != unfolded_.end()) return known->second;
  Steps steps = unfold(id);
  return unfolded_.emplace(id, std::move(steps)).first->second;
}

Tableau::Steps Tableau::unfold(TermId id) {
  const Term& term = terms_[id];
  const Letter bit = Letter{1} << term.proposition;
  switch (term.kind) {
    case TermKind::falsehood: return {};
    case TermKind::truth: return {TableauStep{}};
    case TermKind::literal: return {TableauStep{.label = {.positive = bit}}};
    case TermKind::negated_literal: return {TableauStep{.label = {.negative = bit}}};
    case TermKind::all_of: return all(term.parts);
    case TermKind::any_of: {
      Steps steps;
      for (const TermId part : term.parts) steps = sum(std::move(steps), unfolded(part));
      return steps;
    }
    case TermKind::next: return {TableauStep{.next = obligations(term.parts[0])}};
    case TermKind::until:
    case TermKind::weak_until: {
      const TermId promise = term.kind == TermKind::until ? term.parts[1] : kNoPromise;
      return sum(product(unfolded(term.parts[0]), {stay(id, promise)}), unfolded(term.parts[1]));
    }
    default: {
      const TermId promise = term.kind == TermKind::strong_release ? term.parts[0] : kNoPromise;
      return product(unfolded(term.parts[1]), sum({stay(id, promise)}, unfolded(term.parts[0])));
    }
  }
}

Tableau::Steps Tableau::all(const std::vector<TermId>& ids) {
  Steps steps{TableauStep{}};
  for (const TermId id : ids) steps = product(steps, unfolded(id));
  return steps;
}

Tableau::TableauStep Tableau::stay(TermId id, TermId promise) {
  TableauStep step{.next = {id}};
  if (promise == kNoPromise) return step;
  const auto [entry, is_new] = promises_.emplace(promise, static_cast<unsigned>(promises_.size()));
  if (is_new && promises_.size() > kMostSets)
    refuse_size(kMostSets, "acceptance sets, one for each operand of U, M and F");
  step.promises = SetMask{1} << entry->second;
  return step;
}

Tableau::Steps Tableau::product(const Steps& a, const Steps& b) {
  Steps steps;
  for (const TableauStep& x : a)
    for (const TableauStep& y : b) {
      TableauStep step;
      step.label = {x.label.positive | y.label.positive, x.label.negative | y.label.negative};
      if ((step.label.positive & step.label.negative) != 0) continue;
      step.promises = x.promises | y.promises;
      std::ranges::set_union(x.next, y.next, std::back_inserter(step.next));
      steps.push_back(std::move(step));
      if (steps.size() > 16 * kMostSteps) refuse_size(kMostSteps, "transitions from one state");
    }
  prune(steps);
  return steps;
}

Tableau::Steps Tableau::sum(Steps a, const Steps& b) {
  a.insert(a.end(), b.begin(), b.end());
  prune(a);
  return a;
}

// Removes steps for which there is one that can be taken whenever they can and asks for less.
void Tableau::prune(Steps& steps) {
  std::ranges::sort(steps,
                    [](const TableauStep& x, const TableauStep& y) { return (x <=> y) < 0; });
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.size() > kMostSteps) refuse_size(kMostSteps, "transitions from one state");
  if (steps.size() > kComparedSteps) return;
  const auto asks_less = [](const TableauStep& x, const TableauStep& y) {
    return (x.label.positive & ~y.label.positive) == 0 &&
           (x.label.negative & ~y.label.negative) == 0 && (x.promises & ~y.promises) == 0 &&
           std::ranges::includes(y.next, x.next);
  };
  Steps kept;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool needed = true;
    for (std::size_t j = 0; j < steps.size() && needed; ++j)
      needed = i == j || !asks_less(steps[j], steps[i]);
    if (needed) kept.push_back(steps[i]);
  }
  steps = std::move(kept);
}

}  // namespace spillway::ltl
