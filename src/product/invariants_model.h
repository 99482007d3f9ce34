// A model with further invariants: conditions on its propositions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/forwarding_model.h"

namespace spillway {

struct LetterInvariant {
  std::string name;
  std::function<bool(Letter)> holds;
};

// The invariants have the property numbers behind those of the model.  A state in which a
// proposition cannot be evaluated is a run-time error.
class InvariantsModel final : public ForwardingModel {
 public:
  // REQUIRES: `model` outlives it and is prepared.
  InvariantsModel(const Model& model, std::vector<LetterInvariant> invariants);

  const std::vector<Property>& properties() const override { return properties_; }
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* noted) const override;
  std::size_t check_and_observe(State state, PropertyIndex* noted,
                                Observed& observed) const override;
  bool is_covered(PropertyIndex property, const Observed& observed) const override;
  const Model& concrete() const override { return concrete_ ? *concrete_ : *this; }
  std::string explanation(PropertyIndex property, State state) const override;
  std::optional<SourceRange> false_condition(PropertyIndex property, State state) const override;

 private:
  std::size_t add_violated(State state, PropertyIndex* noted, std::size_t count) const;

  const Model& model_;
  const std::vector<LetterInvariant> invariants_;
  std::vector<Property> properties_;
  std::unique_ptr<InvariantsModel> concrete_;  // if the model's states represent classes
};

}  // namespace spillway
