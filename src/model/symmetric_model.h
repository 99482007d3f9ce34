// A model in which each state represents all states that differ from it only in the names of
// symmetric identities.
//
// Symmetry is decided beforehand (program/symmetry/asymmetries.h), but not taken on trust: for some
// of the expanded states, chosen by their hash, a permuted state is expanded as well.  It must have
// the permuted successors, and the same failure and properties.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "program/symmetry/symmetry.h"

namespace spillway {

class SymmetricModel final : public Model {
 public:
  enum class Examined { some, all };  // of the expanded states
  // REQUIRES: the rows of `model` are those of the program that `symmetries` was made for.
  SymmetricModel(std::unique_ptr<Model> model, program::Symmetries symmetries,
                 Examined examined = Examined::some)
      : model_(std::move(model)), symmetries_(std::move(symmetries)), examined_(examined) {}

  const std::string& name() const override { return model_->name(); }
  std::size_t words() const override { return model_->words(); }
  std::size_t row_bits() const override { return model_->row_bits(); }
  const std::vector<Property>& properties() const override { return model_->properties(); }
  Deadlock deadlock() const override { return model_->deadlock(); }

  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* noted) const override {
    return model_->check(state, noted);
  }
  std::size_t check_and_observe(State state, PropertyIndex* noted,
                                Observed& observed) const override {
    return model_->check_and_observe(state, noted, observed);
  }
  std::optional<std::string> acceptance() const override { return model_->acceptance(); }
  bool accepting(State state) const override { return model_->accepting(state); }

  void prepare() override { model_->prepare(); }
  void before_level(std::uint64_t level, std::uint64_t states) const override {
    model_->before_level(level, states);
  }
  std::vector<Execution> executions() const override { return model_->executions(); }
  std::uint64_t bytes_to_come() const override { return model_->bytes_to_come(); }

  std::vector<Unchecked> unchecked() const override { return model_->unchecked(); }
  std::vector<std::string> assumptions() const override { return model_->assumptions(); }

  std::optional<Coverage> coverage(const Observed& observed) const override {
    return model_->coverage(observed);
  }
  bool is_covered(PropertyIndex property, const Observed& observed) const override {
    return model_->is_covered(property, observed);
  }

  const Model& concrete() const override { return *model_; }
  void represent(Word* row) const override { symmetries_.canonical(row); }

  void examine_one_in(std::uint64_t states) const override;
  void complain() const override;

  std::string rule_name(RuleIndex rule) const override { return model_->rule_name(rule); }
  RuleInstance rule_instance(RuleIndex rule) const override { return model_->rule_instance(rule); }
  std::string step_text(RuleIndex rule) const override { return model_->step_text(rule); }
  std::vector<Variable> variables(State state) const override { return model_->variables(state); }
  std::vector<Part> parts(State state) const override { return model_->parts(state); }
  std::string explanation(PropertyIndex property, State state) const override {
    return model_->explanation(property, state);
  }
  std::optional<SourceRange> text_at(SourcePosition position) const override {
    return model_->text_at(position);
  }
  std::optional<SourceRange> false_condition(PropertyIndex property, State state) const override {
    return model_->false_condition(property, state);
  }

 private:
  using Row = std::vector<Word>;
  // Two states that differ only in names of identities, and what distinguishes them.
  struct Difference {
    Row state, image;
    std::string what;
  };

  bool is_chosen(State state) const;
  // `out` has the successors of the state from index `first` on, not yet replaced by
  // representatives.
  void examine(State state, const Successors& out, std::size_t first) const;
  std::string difference(State state, State image, const program::Symmetries::Permutation& to,
                         const Successors& out, std::size_t first) const;
  std::string state_text(State state) const;

  std::unique_ptr<Model> model_;
  program::Symmetries symmetries_;
  const Examined examined_;
  mutable std::atomic<std::uint64_t> one_in_{1};
  mutable std::mutex mutex_;
  mutable std::optional<Difference> difference_;  // of the smallest state that has one
};

}  // namespace spillway
