// A model in which each state stands for all that differ from it only in the names of symmetric identities.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "program/symmetry.h"

namespace spillway {

class SymmetricModel final : public Model {
 public:
  // REQUIRES: the rows of `model` are those of the program that `symmetries` was made for.
  SymmetricModel(std::unique_ptr<Model> model, program::Symmetries symmetries)
      : model_(std::move(model)), symmetries_(std::move(symmetries)) {}

  const std::string& name() const override { return model_->name(); }
  std::size_t words() const override { return model_->words(); }
  std::size_t row_bits() const override { return model_->row_bits(); }
  const std::vector<Property>& properties() const override { return model_->properties(); }
  Deadlock deadlock() const override { return model_->deadlock(); }

  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* noted) const override { return model_->check(state, noted); }
  bool accepting(State state) const override { return model_->accepting(state); }

  std::vector<std::string> assumptions() const override { return model_->assumptions(); }

  const Model& concrete() const override { return *model_; }
  void represent(Word* row) const override { symmetries_.canonical(row); }

  std::string rule_name(RuleIndex rule) const override { return model_->rule_name(rule); }
  std::string step_text(RuleIndex rule) const override { return model_->step_text(rule); }
  std::vector<Variable> variables(State state) const override { return model_->variables(state); }
  std::string explanation(PropertyIndex property, State state) const override {
    return model_->explanation(property, state);
  }

 private:
  std::unique_ptr<Model> model_;
  program::Symmetries symmetries_;
};

}  // namespace spillway
