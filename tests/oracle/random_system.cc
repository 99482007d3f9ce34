#include "random_system.h"

namespace spillway {

RandomSystem::RandomSystem(std::mt19937_64& random, std::uint32_t most_states, RuleIndex rules)
    : WholeModel("random"), rules_(rules) {
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  const std::uint32_t states = 1 + below(most_states);
  for (std::uint32_t state = 0; state < states; ++state) {
    letters_.push_back(below(1U << kPropositions));
    steps_.emplace_back();
    const std::uint32_t steps = below(4);
    for (std::uint32_t i = 0; i < steps; ++i)
      steps_[state].push_back({below(states), below(rules)});
  }
  initial_.push_back(below(states));
  if (below(3) == 0) initial_.push_back(below(states));
  excluded_.resize(states);
}

void RandomSystem::assume(std::mt19937_64& random) {
  for (std::uint32_t state = 0; state < states(); ++state) {
    excluded_[state] = random() % 3 == 0;
    if (excluded_[state] && random() % 3 == 0) steps_[state].clear();
  }
}

void RandomSystem::initial(Successors& out) const {
  if (out.room() < initial_.size()) out.make_room(initial_.size());
  for (std::size_t i = 0; i < initial_.size(); ++i) {
    out.rows()[i] = initial_[i];
    if (out.rules() != nullptr) out.rules()[i] = kNoRule;
  }
  out.add(initial_.size());
}

void RandomSystem::successors(State state, Successors& out) const {
  const std::vector<SystemStep>& steps = steps_[state[0]];
  if (out.room() < steps.size()) out.make_room(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out.rows()[i] = steps[i].to;
    if (out.rules() != nullptr) out.rules()[i] = steps[i].rule;
  }
  out.add(steps.size());
  if (excluded_[state[0]]) out.set_moved();
}

std::string RandomSystem::text() const {
  std::string text = "initial";
  for (const std::uint32_t state : initial_) text += " " + std::to_string(state);
  for (std::uint32_t state = 0; state < states(); ++state) {
    text += "; " + std::to_string(state) + " has " + std::to_string(letters_[state]) + ":";
    for (const SystemStep& step : steps_[state])
      text += " r" + std::to_string(step.rule) + " to " + std::to_string(step.to);
    if (excluded_[state]) text += " (excluded: some)";
  }
  return text;
}

}  // namespace spillway
