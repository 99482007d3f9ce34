// What a model is: a finite transition system with properties, whatever it was written in.
//
// Everything but the constructor may be called from many threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/state.h"

namespace spillway {

using RuleIndex = std::uint32_t;
using PropertyIndex = std::uint32_t;

// Of an initial state that no rule with a name has made.
inline constexpr RuleIndex kNoRule = UINT32_MAX;

enum class PropertyKind {
  invariant,  // must hold in every reachable state
  assertion,  // must hold while a rule runs
  cover,      // must hold in some reachable state
  reachable,  // from every reachable state, some state where it holds must be reachable
};

struct Property {
  std::string name;
  PropertyKind kind;
};

// Something that the author of a model wants to know and that no search can decide yet.
struct Unchecked {
  std::string name;
  std::string_view kind;  // "acceptance", or "invariant" of a property process
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
  std::optional<PropertyIndex> assertion;  // none: a run-time error
  std::string message;
};

// Where models write successors, of one state or of several one after the other.  The owner keeps it from
// batch to batch, so that it grows only once.
class Successors {
 public:
  explicit Successors(std::size_t words) : words_(words) {}

  void clear() {
    count_ = 0;
    failure_.reset();
  }
  std::size_t size() const { return count_; }

  // Those from the `first` one on; valid until the next call of a model or of clear().
  States states(std::size_t first = 0) const { return {rows_.data() + first * words_, count_ - first, words_}; }
  RuleIndex rule(std::size_t i) const { return rules_[i]; }

  // Of the call that was made last.
  const std::optional<Failure>& failure() const { return failure_; }

  // Off by default: most callers do not ask which rule made a state.
  void want_rules(bool wanted) { wants_rules_ = wanted; }

  // Whether the call that was made last led to another state before representatives were taken for each, or would have
  // but for assumptions: then the state is no deadlock.
  bool moved() const { return moved_; }

  // For models. ----------------------------------------------------------------------------------
  std::size_t room() const { return rows_.size() / words_ - count_; }  // rows that can be written
  void make_room(std::size_t count);
  Word* rows() { return rows_.data() + count_ * words_; }
  RuleIndex* rules() { return wants_rules_ ? rules_.data() + count_ : nullptr; }
  void add(std::size_t count) {  // so many rows have been written
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
  bool moved_ = false;
  std::vector<Word> rows_;
  std::vector<RuleIndex> rules_;
  std::optional<Failure> failure_;
};

struct Variable {
  std::string name;
  std::string value;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const std::string& name() const = 0;
  virtual std::size_t words() const = 0;     // of a row
  virtual std::size_t row_bits() const = 0;  // of a row that carry information
  virtual const std::vector<Property>& properties() const = 0;
  virtual Deadlock deadlock() const = 0;  // the convention of the model's language

  // Both append to `out`: always the same states in the same order.
  virtual void initial(Successors& out) const = 0;
  virtual void successors(State state, Successors& out) const = 0;

  // Writes the invariants that are false in `state`, and the cover and reachable properties that are true in it, to
  // `noted`, which has room for all properties, in increasing order, and returns how many.
  virtual std::size_t check(State state, PropertyIndex* noted) const = 0;
  virtual bool accepting(State state) const = 0;

  // As long as there is any, the model as a whole is not verified.
  virtual std::vector<Unchecked> unchecked() const { return {}; }

  // What the model takes for granted: states in which it is false are left out.
  virtual std::vector<std::string> assumptions() const { return {}; }

  // Of a model whose states stand for classes of states: the model of the states themselves, and the one that stands
  // for all of its class, in place of it.
  virtual const Model& concrete() const { return *this; }
  virtual void represent(Word* /*row*/) const {}

  // Of a model that can find out, beside its work, whether it is what it claims to be: how many of the states that are
  // expanded it should take for that, one in so many; and an Error if it found that it is not.  What it tells does not
  // depend on the order in which states were expanded.
  virtual void examine_one_in(std::uint64_t /*states*/) const {}
  virtual void complain() const {}

  virtual std::string rule_name(RuleIndex rule) const = 0;  // of kNoRule: "start"
  // What a step of a trace is called in the words of the model's language.
  virtual std::string step_text(RuleIndex rule) const { return rule_name(rule); }
  virtual std::vector<Variable> variables(State state) const = 0;
  // Which part of a violated invariant is false, for people; empty if the model cannot say.
  virtual std::string explanation(PropertyIndex /*property*/, State /*state*/) const { return ""; }
};

}  // namespace spillway
