// A model that was read from text: its program, executed as compiled code or by the interpreter.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/program_code.h"
#include "program/interpreter.h"
#include "program/observation.h"
#include "program/program.h"
#include "program/row_domain.h"
#include "program/symmetry/symmetry.h"

namespace spillway {

// Functions that execute the program throw Stopped when a stop is requested.
class ProgramModel final : public WholeModel, public Runtime {
 public:
  ProgramModel(program::Program program, Executed executed, const Compiling& compiling = {});

  const program::Program& program() const { return program_; }

  std::size_t words() const override { return interpreter_.layout().words(); }
  std::size_t row_bits() const override { return interpreter_.layout().bits(); }

  std::string why_not_a_state(State row) const override {
    return domain_.has(row) ? "" : domain_.why_not(row);
  }

  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* noted, Observed* observed) const override;
  bool is_covered(PropertyIndex property, const Observed& observed) const override;
  std::optional<std::string> property() const override;
  bool accepting(State state) const override;
  std::uint32_t part(State state) const override;
  std::size_t propositions() const override { return program_.propositions.size(); }
  Letter evaluate(State state, std::optional<Failure>& failure) const override;
  // By the interpreter.
  Letter evaluate_again(State state, std::optional<Failure>& failure) const override;

  // Its code shall find representatives as well.  REQUIRES: before prepare(); `symmetries`, which
  // are those of the program, outlive it.
  void make_code_for(const program::Symmetries& symmetries) { symmetries_ = &symmetries; }
  // Replaces a row by its representative.  REQUIRES: make_code_for().
  void represent_by_code(Word* row) const;

  // Until then, the program is interpreted.
  void prepare() const override;
  void before_level(std::uint64_t level, std::uint64_t states) const override {
    code_.before_level(level, states);
  }
  std::vector<ExecutedLevels> executions() const override { return code_.executions(); }
  std::uint64_t bytes_to_come() const override { return code_.bytes_to_come(); }

  RuleIndex rules() const override { return interpreter_.instances().count(); }
  std::string rule_name(RuleIndex rule) const override;
  RuleInstance rule_instance(RuleIndex rule) const override;
  std::string step_text(RuleIndex rule) const override;
  std::vector<Variable> variables(State state) const override;
  std::vector<StatePart> parts(State state) const override;
  Explanation explanation(PropertyIndex property, State state) const override;
  std::optional<SourceRange> text_at(SourcePosition position) const override;
  std::optional<Coverage> coverage(const Observed& observed) const override;

 private:
  void describe();
  void find_parts(const program::AcceptanceParts& parts);
  void interpret(const State* state, Successors& out) const;
  // Apart from check(), so that compiled code is reached fast.
  [[gnu::noinline]] std::size_t interpret_conditions(State state, PropertyIndex* noted,
                                                     Observed* observed) const;
  void explain(const State* state, Successors& out) const;
  Failure shown(const program::Failure& failure) const;
  program::ObservedRoom room_in(Observed& observed) const;

  program::Program program_;
  const program::Observation observation_ = program::observe(program_);
  const SourceText source_;   // of the program
  mutable std::mutex mutex_;  // guards the interpreter
  mutable program::Interpreter interpreter_;
  const program::RowDomain domain_{program_, interpreter_.layout()};
  // Of each code of the variable that has parts; empty: there is only one part.
  std::vector<std::uint32_t> parts_;
  std::uint64_t part_bit_ = 0;  // of that variable
  unsigned part_width_ = 0;
  std::vector<std::size_t> numbers_;  // indices of properties() in the program
  const bool interpreted_;            // always
  const program::Symmetries* symmetries_ = nullptr;
  mutable ProgramCode code_;
};

}  // namespace spillway
