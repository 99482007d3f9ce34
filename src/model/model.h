// A model: a finite transition system with properties, in whatever language it was written.
//
// All functions but the constructor may be called from many threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/property_kind.h"
#include "base/set_mask.h"
#include "base/state.h"
#include "base/text/diagnostic.h"
#include "model/coverage.h"

namespace spillway {

using RuleIndex = std::uint32_t;
using PropertyIndex = std::uint32_t;

// For an initial state that no named rule produced.
inline constexpr RuleIndex kNoRule = UINT32_MAX;

struct Property {
  std::string name;
  PropertyKind kind;
  std::uint32_t line = 0, column = 0;  // in the text of the model; 0: unknown
  bool in_rules = false;               // cover: its condition is evaluated where it stands in rules
};

// A property that no search can decide yet.
struct Unchecked {
  std::string name;
  PropertyKind kind;  // acceptance, or invariant of a property process
};

// Which states count as deadlocks.
enum class Deadlock {
  off,         // none
  stuck,       // those without a successor
  stuttering,  // those without a successor other than themselves
};

// A rule that could not be carried out.
struct Failure {
  RuleIndex rule = 0;
  std::optional<PropertyIndex> assertion;  // std::nullopt: a run-time error
  std::string message;
  SourcePosition position = {};  // in the text of the model
};

// Collects the successors of one state, or of several in turn.  The owner reuses it from batch to
// batch, so that it grows only once.
class Successors {
 public:
  explicit Successors(std::size_t words) : words_(words) {}

  void clear() {
    count_ = 0;
    failure_.reset();
  }
  std::size_t size() const { return count_; }

  // Those from index `first` on.  Valid until the next call of a model or of clear().
  States states(std::size_t first = 0) const {
    return {rows_.data() + first * words_, count_ - first, words_};
  }
  RuleIndex rule(std::size_t i) const { return rules_[i]; }

  // Of the last call.
  const std::optional<Failure>& failure() const { return failure_; }

  // The acceptance sets that the step to a state is in.  REQUIRES: marks are wanted, and the model
  // marks steps.
  SetMask mark(std::size_t i) const { return marks_[i]; }

  // Off by default: most callers do not need to know which rule produced a state, or its marks.
  void want_rules(bool wanted) { wants_rules_ = wanted; }
  void want_marks(bool wanted) {
    wants_marks_ = wanted;
    if (wanted) marks_.resize(rows_.size() / words_);
  }

  // True if the last call is known to lead to a different state although the successors may not
  // show it: a successor was left out because of an assumption, or differed from the state before
  // symmetry reduction.  Such a state is not a deadlock.
  bool moved() const { return moved_; }

  // What was observed in all calls; clear() does not change it.
  Observed& observed() { return observed_; }

  // For models -----------------------------------------------------------------------------------
  std::size_t room() const { return rows_.size() / words_ - count_; }  // rows that can be written
  void make_room(std::size_t count);
  Word* rows() { return rows_.data() + count_ * words_; }
  RuleIndex* rules() { return wants_rules_ ? rules_.data() + count_ : nullptr; }
  SetMask* marks() { return wants_marks_ ? marks_.data() + count_ : nullptr; }
  void add(std::size_t count) {  // after writing `count` rows
    count_ += count;
    failure_.reset();
    moved_ = false;
  }
  void add(std::size_t count, Failure failure) {
    count_ += count;
    failure_ = std::move(failure);
    moved_ = false;
  }
  Word* row(std::size_t i) { return rows_.data() + i * words_; }
  void set_moved() { moved_ = true; }

 private:
  std::size_t words_;
  std::size_t count_ = 0;
  bool wants_rules_ = false;
  bool wants_marks_ = false;
  bool moved_ = false;
  std::vector<Word> rows_;
  std::vector<RuleIndex> rules_;
  std::vector<SetMask> marks_;
  std::optional<Failure> failure_;
  Observed observed_;
};

struct Variable {
  std::string name;
  std::string value;
};

// A variable, or a part of one: a tree with scalars as leaves.
struct StatePart {
  enum class Kind { scalar, record, array, bag };
  std::string name;  // of the variable or field, or the index; empty for elements of a bag
  Kind kind = Kind::scalar;
  std::string value = {};             // of a scalar
  bool defined = true;                // of a scalar
  std::vector<StatePart> parts = {};  // fields, elements, or those elements of a bag that there are
};

// A rule with values of its parameters.
struct RuleInstance {
  std::string name;  // of the rule
  std::vector<Variable> parameters = {};
  std::uint32_t line = 0;  // in the text of the model; 0: unknown
};

// A run that goes round a loop for ever: the last state is that at `loop_start` again.
struct Lasso {
  std::vector<State> states;
  std::vector<RuleIndex> rules;  // that produced each; kNoRule for the first, if none did
  std::size_t loop_start = 0;
};

// The levels of a search from one on, and what executed the model in them.
struct Execution {
  std::string_view by;  // "interpreter", "tcc" or "optimized"
  std::uint64_t first_level;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const std::string& name() const = 0;
  virtual std::size_t words() const = 0;     // per row
  virtual std::size_t row_bits() const = 0;  // of a row that carry information
  // What a row means, as far as this program has chosen it, and another one may choose otherwise
  // for the same text: where the variables are, and the automaton of a product (empty: there is
  // none). Rows of two models with the same texts mean the same, if the text of the model is the
  // same.
  virtual std::string layout() const;
  virtual std::string automaton() const { return ""; }
  virtual const std::vector<Property>& properties() const = 0;
  virtual Deadlock deadlock() const = 0;  // the convention of the model's language

  // For a row that this process has not made: why it is no state of the model; empty if it can be
  // one.  What a model is given otherwise are states, and it need not test them.  A model that
  // somebody else has compiled knows best what its rows mean, and any of them can be its state.
  // REQUIRES: words() words.
  virtual std::string why_not_a_state(State /*row*/) const { return ""; }

  // Both append to `out`, always the same states in the same order.
  virtual void initial(Successors& out) const = 0;
  virtual void successors(State state, Successors& out) const = 0;

  // Writes the invariants that are false in `state`, and the cover and reachable properties that
  // are true in it, to `noted`, in increasing order, and returns how many.  REQUIRES: `noted` has
  // room for all properties.
  virtual std::size_t check(State state, PropertyIndex* noted) const = 0;
  // The same, and notes what is observed.
  virtual std::size_t check_and_observe(State state, PropertyIndex* noted,
                                        Observed& /*observed*/) const {
    return check(state, noted);
  }
  // Propositions of formulas, which were given to the model when it was opened.  Bit i of the
  // letter of a state is set if proposition i holds in it.  `failure` is set if one cannot be
  // evaluated.  evaluate_again() does the same by other means, if there are any.
  virtual std::size_t propositions() const { return 0; }
  virtual Letter evaluate(State /*state*/, std::optional<Failure>& /*failure*/) const { return 0; }
  virtual Letter evaluate_again(State state, std::optional<Failure>& failure) const {
    return evaluate(state, failure);
  }

  // The property that acceptance defines: no run meets every acceptance set for ever.  Without it,
  // nothing is said about runs.
  virtual std::optional<std::string> acceptance() const { return std::nullopt; }
  // If the model marks steps, successors() writes the sets of each step.  Otherwise there is one
  // set, of the steps from accepting states.
  virtual bool marks_steps() const { return false; }
  virtual unsigned acceptance_sets() const { return acceptance() ? 1 : 0; }
  virtual bool accepting(State state) const = 0;
  // An accepting cycle stays within one part.  kNoPart: there is none through this state.
  static constexpr std::uint32_t kNoPart = UINT32_MAX;
  virtual std::uint32_t acceptance_part(State /*state*/) const { return 0; }
  // Whether an accepted run violates the property by its own definition, of which acceptance() is a
  // translation.
  virtual bool is_violated_by(const Lasso& /*run*/) const { return true; }
  // A remark for the user on an accepted run; empty if there is nothing to say.
  virtual std::string about(const Lasso& /*run*/) const { return ""; }

  // Gets the model ready to be executed, which may take as long as a compiler takes.  To be called
  // once, before anything else is executed; without it, execution may be slow.  Returns early if a
  // stop is requested.  Throws Error(system).
  virtual void prepare() {}
  // To be called between two levels of a search, when no thread executes the model: level `level`,
  // with `states` states, comes next.  The model may change how it is executed.  What it computes
  // stays the same, in the same order.  Throws Stopped.
  virtual void before_level(std::uint64_t /*level*/, std::uint64_t /*states*/) const {}
  // How it has been executed so far; empty if there is only one way.  Any thread.
  virtual std::vector<Execution> executions() const { return {}; }
  // The memory that before_level() may yet take, at most.
  virtual std::uint64_t bytes_to_come() const { return 0; }

  // While there are any, the model cannot be verified as a whole.
  virtual std::vector<Unchecked> unchecked() const { return {}; }

  // Assumptions of the model: states in which one is false are left out.
  virtual std::vector<std::string> assumptions() const { return {}; }
  // Whether successors() may leave one out because of an assumption, of whatever kind.  False is
  // certain.
  virtual bool may_leave_out() const { return true; }

  // What was observed in a search means this; std::nullopt: nothing is observed of this model.
  virtual std::optional<Coverage> coverage(const Observed& /*observed*/) const {
    return std::nullopt;
  }
  // Whether what was observed shows that a cover property has held.
  virtual bool is_covered(PropertyIndex /*property*/, const Observed& /*observed*/) const {
    return false;
  }

  // For a model whose states represent classes of states: concrete() is the model of the states
  // themselves, represent() replaces a state by the representative of its class.
  virtual const Model& concrete() const { return *this; }
  virtual void represent(Word* /*row*/) const {}

  // For a model that can check its own symmetry while it is executed: examine_one_in() sets how
  // many of the expanded states it examines, one in `states`; complain() throws an Error if a check
  // has failed.  The result does not depend on the order in which states are expanded.
  virtual void examine_one_in(std::uint64_t /*states*/) const {}
  virtual void complain() const {}

  // All rules have numbers below this one.  0: it is not known.
  virtual RuleIndex rules() const { return 0; }
  // The processes that take part in a rule, in a language that has processes.
  virtual std::vector<std::string> processes(RuleIndex /*rule*/) const { return {}; }
  virtual std::string rule_name(RuleIndex rule) const = 0;  // "start" for kNoRule
  // What rule_name() says, in its parts.
  virtual RuleInstance rule_instance(RuleIndex rule) const { return {rule_name(rule)}; }
  // The description of a step of a trace, in the terms of the model's language.
  virtual std::string step_text(RuleIndex rule) const { return rule_name(rule); }
  virtual std::vector<Variable> variables(State state) const = 0;
  // The same as trees, for models that know how their variables are made up.
  virtual std::vector<StatePart> parts(State state) const;
  // Which part of a violated invariant is false; empty if the model cannot say.
  virtual std::string explanation(PropertyIndex /*property*/, State /*state*/) const { return ""; }
  // A part of the model's text, for messages; std::nullopt if it is not known.
  virtual std::optional<SourceRange> text_at(SourcePosition /*position*/) const {
    return std::nullopt;
  }
  // The part that explanation() is about.
  virtual std::optional<SourceRange> false_condition(PropertyIndex /*property*/,
                                                     State /*state*/) const {
    return std::nullopt;
  }
};

}  // namespace spillway
