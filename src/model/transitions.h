// The states of a model and the steps between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/set_mask.h"
#include "base/state.h"
#include "model/conditions.h"
#include "model/coverage.h"

namespace spillway {

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

// What a search executes.
//
// Partial-order reduction will need one more part of a model, its `Guards`, of those that have them:
// which rules are enabled in a state, what one of them makes, and which rules depend on each other.
// Then reduced transitions take the place of these.
class Transitions {
 public:
  virtual ~Transitions() = default;
  virtual std::size_t words() const = 0;     // per row
  virtual std::size_t row_bits() const = 0;  // of a row that carry information

  // For a row that this process has not made: why it is no state of the model; empty if it can be
  // one.  What a model is given otherwise are states, and it need not test them.  A model that
  // somebody else has compiled knows best what its rows mean, and any of them can be its state.
  // REQUIRES: words() words.
  virtual std::string why_not_a_state(State /*row*/) const { return ""; }

  // Both append to `out`, always the same states in the same order.
  virtual void initial(Successors& out) const = 0;
  virtual void successors(State state, Successors& out) const = 0;
};

// For a model whose states represent classes of states.
class Quotient {
 public:
  virtual ~Quotient() = default;
  // Replaces a state by the representative of its class.
  virtual void represent(Word* /*row*/) const {}

  // For a model that can check its own symmetry while it is executed: examine_one_in() sets how
  // many of the expanded states it examines, one in `states`; complain() throws an Error if a check
  // has failed.  The result does not depend on the order in which states are expanded.
  virtual void examine_one_in(std::uint64_t /*states*/) const {}
  virtual void complain() const {}
};

inline const Quotient kNoQuotient;

}  // namespace spillway
