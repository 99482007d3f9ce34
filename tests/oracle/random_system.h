// A small system with propositions and rules, by its steps.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

struct SystemStep {
  std::uint32_t to;
  RuleIndex rule;
};

class RandomSystem final : public WholeModel {
 public:
  static constexpr unsigned kPropositions = 3;

  // With at most `most_states` states and `rules` rules.
  RandomSystem(std::mt19937_64& random, std::uint32_t most_states, RuleIndex rules);

  // From now on assumptions exclude steps of some states, of a few all.
  void assume(std::mt19937_64& random);

  std::uint32_t states() const { return static_cast<std::uint32_t>(letters_.size()); }
  Letter letter(std::uint32_t state) const { return letters_[state]; }
  const std::vector<SystemStep>& steps_of(std::uint32_t state) const { return steps_[state]; }
  // Whether a run that comes to this state stays there.
  bool ends(std::uint32_t state) const { return steps_[state].empty() && !excluded_[state]; }
  const std::vector<std::uint32_t>& initial_states() const { return initial_; }
  std::string text() const;

  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override { return 8; }
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t propositions() const override { return kPropositions; }
  Letter evaluate(State state, std::optional<Failure>&) const override {
    return letters_[state[0]];
  }
  RuleIndex rules() const override { return rules_; }
  std::string rule_name(RuleIndex rule) const override { return "r" + std::to_string(rule); }
  std::vector<Variable> variables(State state) const override {
    return {{"state", std::to_string(state[0])}};
  }

 private:
  const RuleIndex rules_;
  std::vector<Letter> letters_;
  std::vector<std::vector<SystemStep>> steps_;
  std::vector<bool> excluded_;  // whether an assumption excludes steps of a state
  std::vector<std::uint32_t> initial_;
};

}  // namespace spillway
