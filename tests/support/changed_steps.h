// A model with other steps: those of another model, but for what a derived class changes.
#pragma once

#include <string>

#include "model/model.h"

namespace spillway {

class ChangedSteps : public Transitions, public Model {
 public:
  // REQUIRES: `model` outlives it.
  explicit ChangedSteps(const Model& model)
      : Model(model.composition()), unchanged_(model.steps()) {
    composition_.steps = this;
  }
  std::size_t words() const override { return unchanged_.words(); }
  std::size_t row_bits() const override { return unchanged_.row_bits(); }
  std::string why_not_a_state(State row) const override { return unchanged_.why_not_a_state(row); }
  void initial(Successors& out) const override { unchanged_.initial(out); }
  void successors(State state, Successors& out) const override {
    unchanged_.successors(state, out);
  }

 private:
  const Transitions& unchanged_;
};

}  // namespace spillway
