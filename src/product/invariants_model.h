// A model with further invariants: conditions on its propositions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

struct LetterInvariant {
  std::string name;
  std::function<bool(Letter)> holds;
};

// The invariants have the property numbers behind those of the model.  A state in which a
// proposition cannot be evaluated is a run-time error.
class InvariantsModel final : public Transitions, public Conditions, public Model {
 public:
  // REQUIRES: `model` outlives it and is prepared.
  InvariantsModel(const Model& model, std::vector<LetterInvariant> invariants);

  std::size_t words() const override { return steps_.words(); }
  std::size_t row_bits() const override { return steps_.row_bits(); }
  std::string why_not_a_state(State row) const override { return steps_.why_not_a_state(row); }
  void initial(Successors& out) const override { steps_.initial(out); }
  void successors(State state, Successors& out) const override;

  std::size_t check(State state, PropertyIndex* noted, Observed* observed) const override;
  bool is_covered(PropertyIndex property, const Observed& observed) const override {
    return conditions_.is_covered(property, observed);
  }
  std::size_t propositions() const override { return conditions_.propositions(); }
  Letter evaluate(State state, std::optional<Failure>& failure) const override {
    return conditions_.evaluate(state, failure);
  }
  Letter evaluate_again(State state, std::optional<Failure>& failure) const override {
    return conditions_.evaluate_again(state, failure);
  }

 private:
  // Of the model.
  const Transitions& steps_;
  const Conditions& conditions_;

  const std::vector<LetterInvariant> invariants_;
  std::unique_ptr<InvariantsModel> concrete_;  // if the model's states represent classes
};

}  // namespace spillway
