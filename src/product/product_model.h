// A model together with an automaton that reads what holds in the states of a run.
//
// A state of the product is a state of the system and a state of the automaton that is about to
// read it.  A step of the product is a step of the system and a transition of the automaton that
// admits the letter of the state before the step.  So a run of the product is a run of the system
// and a run of the automaton over it, and the product has an accepting cycle if and only if the
// automaton accepts some run of the system.
//
// The acceptance sets are those of the automaton, and behind them one for each actor to whom runs
// must be fair.  States of the automaton from which it cannot accept any more are left out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "model/model.h"
#include "product/fair_actors.h"
#include "product/product_rows.h"

namespace spillway {

// A property of runs, by the automaton of the runs that violate it.
struct RunProperty {
  std::string name;
  ltl::Automaton automaton;  // its propositions are those of the system, by number
  // Whether the letters of a run that goes back from the last to that at `loop_start` violate it by
  // definition.  Empty: it is defined by the automaton alone.
  std::function<bool(std::span<const Letter> letters, std::size_t loop_start)> is_violated_by = {};
};

// What a run is that comes to a state without successors.
enum class RunEnds {
  stutter,  // infinite: it stays in that state for ever
  ignore,   // finite, and no property of runs is about it
};

// The rule of a step that a run makes after its end.
inline constexpr RuleIndex kStutterRule = UINT32_MAX - 1;

class ProductModel final : public WholeModel, public Quotient {
 public:
  // REQUIRES: the system outlives it and is prepared.  Throws Error(usage) if there are more
  // acceptance sets than engines can handle.
  ProductModel(const Model& system, RunProperty property, FairActors fair, RunEnds ends);

  std::size_t words() const override { return rows_.words(); }
  std::size_t row_bits() const override { return steps_.row_bits() + rows_.state_bits(); }
  std::string why_not_a_state(State row) const override;

  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;

  std::optional<std::string> property() const override { return property_.name; }
  bool marks_steps() const override { return true; }
  unsigned sets() const override;
  std::uint32_t part(State state) const override;
  bool is_violated_by(const Lasso& run) const override;
  std::string about(const Lasso& run) const override;

  void represent(Word* row) const override;
  void complain() const override { system_.quotient().complain(); }

  RuleIndex rules() const override { return description_.rules(); }
  std::string rule_name(RuleIndex rule) const override {
    return rule == kStutterRule ? "(the run has ended)" : description_.rule_name(rule);
  }
  RuleInstance rule_instance(RuleIndex rule) const override {
    return rule == kStutterRule ? RuleInstance{rule_name(rule)} : description_.rule_instance(rule);
  }
  std::string step_text(RuleIndex rule) const override {
    return rule == kStutterRule ? rule_name(rule) : description_.step_text(rule);
  }
  std::vector<Variable> variables(State state) const override;
  std::vector<StatePart> parts(State state) const override;
  std::optional<SourceRange> text_at(SourcePosition position) const override {
    return description_.text_at(position);
  }

 private:
  struct Scratch;
  Scratch& scratch() const;  // of this thread
  // Writes the steps to the successors in `scratch`, or the one that repeats `state`.
  void write_steps(State state, Scratch& scratch, Successors& out) const;

  const Model& system_;
  const Transitions& steps_;  // of the system, as the next two
  const Conditions& conditions_;
  const Description& description_;
  const RunProperty property_;
  const FairActors fair_;
  const RunEnds ends_;
  const ltl::Components components_;
  const ProductRows rows_;
  std::unique_ptr<ProductModel> concrete_;  // if the system's states represent classes
};

}  // namespace spillway
