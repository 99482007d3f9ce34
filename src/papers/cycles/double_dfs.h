// Two depth-first searches, one after the other, over set states that have numbers: one bit for
// each set state, and the stack on disk.
//
//   A:  visited := {};  depth-first from the initial set states;
//       when a set state with an accepting step is left, append it to F
//   B:  visited := {};  for r in F, in this order:  if r is not visited:
//       depth-first from the ends of its accepting steps over set states that are not visited;
//       if a step leads to r: report
//
// The order of F is what makes B right: F in any other order misses cycles.
//
// The stack has the successors of each set state on the path that were not visited when the set
// state was entered.  So every set state is expanded once in each search, and the stack is longer
// by as much.
#pragma once

#include <optional>
#include <vector>

#include "papers/cycles/numbered_states.h"
#include "papers/storage/state_file.h"
#include "papers/storage/state_stack.h"

namespace spillway {

class DoubleDfs {
 public:
  struct Cycle {
    std::vector<Word> first;
    std::vector<std::vector<Word>> loop;  // the set states after it, up to it again
  };

  // `last`: states, by their number, that are not expanded; nullptr: none.  `store`: for set states
  // with a note of one word.  Throws Error(usage) or Error(memory) if the budget refuses. REQUIRES:
  // all outlive it.
  DoubleDfs(SetStates& set_states, SetStateNumbers& numbers, const BitVector* last, Store& store);

  // May throw Finished.
  std::optional<Cycle> search();

  std::uint64_t seeds() const { return seeds_.size(); }
  std::uint64_t expanded() const { return expanded_; }  // by both searches

 private:
  // What is noted with a set state on the stack.
  enum Note : Word { waiting = 0, entered = 1, entered_seed = 2 };

  void search_all();
  std::optional<Cycle> search_from(State seed);
  bool push_steps(State set_state, bool only_accepting);  // false: one leads to the seed
  void push(State set_state, Note note);
  bool visit(State set_state);  // false: it was visited before
  bool is_last(State set_state) {
    return last_ != nullptr && last_->get(numbers_.of_row(set_states_.row(set_state)));
  }
  Cycle cycle_on_stack();

  SetStates& set_states_;
  SetStateNumbers& numbers_;
  const BitVector* const last_;
  BitVector visited_;
  StateStack stack_;
  StateFile seeds_;
  std::vector<Word> seed_;
  std::vector<Word> row_;  // for a set state with its note
  std::uint64_t expanded_ = 0;
};

}  // namespace spillway
