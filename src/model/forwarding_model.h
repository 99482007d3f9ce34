// A model that is another one, but for what a derived class changes.
#pragma once

#include "model/model.h"

namespace spillway {

class ForwardingModel : public Model {
 public:
  // REQUIRES: `model` outlives it.
  explicit ForwardingModel(Model& model) : inner_(model), unprepared_(&model) {}
  // REQUIRES: the same, and it is prepared.
  explicit ForwardingModel(const Model& model) : inner_(model) {}

  const std::string& name() const override { return inner_.name(); }
  std::size_t words() const override { return inner_.words(); }
  std::size_t row_bits() const override { return inner_.row_bits(); }
  std::string layout() const override { return inner_.layout(); }
  std::string automaton() const override { return inner_.automaton(); }
  const std::vector<Property>& properties() const override { return inner_.properties(); }
  Deadlock deadlock() const override { return inner_.deadlock(); }

  std::string why_not_a_state(State row) const override { return inner_.why_not_a_state(row); }

  void initial(Successors& out) const override { inner_.initial(out); }
  void successors(State state, Successors& out) const override { inner_.successors(state, out); }

  std::size_t check(State state, PropertyIndex* noted) const override {
    return inner_.check(state, noted);
  }
  std::size_t check_and_observe(State state, PropertyIndex* noted,
                                Observed& observed) const override {
    return inner_.check_and_observe(state, noted, observed);
  }

  std::size_t propositions() const override { return inner_.propositions(); }
  Letter evaluate(State state, std::optional<Failure>& failure) const override {
    return inner_.evaluate(state, failure);
  }
  Letter evaluate_again(State state, std::optional<Failure>& failure) const override {
    return inner_.evaluate_again(state, failure);
  }

  std::optional<std::string> acceptance() const override { return inner_.acceptance(); }
  bool marks_steps() const override { return inner_.marks_steps(); }
  unsigned acceptance_sets() const override { return inner_.acceptance_sets(); }
  bool accepting(State state) const override { return inner_.accepting(state); }
  std::uint32_t acceptance_part(State state) const override {
    return inner_.acceptance_part(state);
  }
  bool is_violated_by(const Lasso& run) const override { return inner_.is_violated_by(run); }
  std::string about(const Lasso& run) const override { return inner_.about(run); }

  void prepare() override {
    if (unprepared_ != nullptr) unprepared_->prepare();
  }
  void before_level(std::uint64_t level, std::uint64_t states) const override {
    inner_.before_level(level, states);
  }
  std::vector<Execution> executions() const override { return inner_.executions(); }
  std::uint64_t bytes_to_come() const override { return inner_.bytes_to_come(); }

  std::vector<Unchecked> unchecked() const override { return inner_.unchecked(); }
  std::vector<std::string> assumptions() const override { return inner_.assumptions(); }
  bool may_leave_out() const override { return inner_.may_leave_out(); }

  std::optional<Coverage> coverage(const Observed& observed) const override {
    return inner_.coverage(observed);
  }
  bool is_covered(PropertyIndex property, const Observed& observed) const override {
    return inner_.is_covered(property, observed);
  }

  const Model& concrete() const override { return inner_.concrete(); }
  void represent(Word* row) const override { inner_.represent(row); }
  void examine_one_in(std::uint64_t states) const override { inner_.examine_one_in(states); }
  void complain() const override { inner_.complain(); }

  RuleIndex rules() const override { return inner_.rules(); }
  std::vector<std::string> processes(RuleIndex rule) const override {
    return inner_.processes(rule);
  }
  std::string rule_name(RuleIndex rule) const override { return inner_.rule_name(rule); }
  RuleInstance rule_instance(RuleIndex rule) const override { return inner_.rule_instance(rule); }
  std::string step_text(RuleIndex rule) const override { return inner_.step_text(rule); }
  std::vector<Variable> variables(State state) const override { return inner_.variables(state); }
  std::vector<StatePart> parts(State state) const override { return inner_.parts(state); }
  std::string explanation(PropertyIndex property, State state) const override {
    return inner_.explanation(property, state);
  }
  std::optional<SourceRange> text_at(SourcePosition position) const override {
    return inner_.text_at(position);
  }
  std::optional<SourceRange> false_condition(PropertyIndex property, State state) const override {
    return inner_.false_condition(property, state);
  }

 private:
  const Model& inner_;
  Model* const unprepared_ = nullptr;
};

}  // namespace spillway
