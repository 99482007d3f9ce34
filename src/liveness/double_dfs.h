// Two depth-first searches, one after the other, over places that have numbers: one bit for each
// place, and the stack on disk.
//
//   A:  visited := {};  depth-first from the initial places; when a place with an accepting step is
//       left, append it to F
//   B:  visited := {};  for r in F, in this order:  if r is not visited:
//       depth-first from the ends of its accepting steps over places that are not visited;
//       if a step leads to r: report
//
// The order of F is what makes B right: F in any other order misses cycles.
//
// The stack has the successors of each place on the path that were not visited when the place was
// entered.  So every place is expanded once in each search, and the stack is longer by as much.
#pragma once

#include <optional>
#include <vector>

#include "liveness/numbered_states.h"
#include "storage/states/state_file.h"
#include "storage/states/state_stack.h"

namespace spillway {

class DoubleDfs {
 public:
  struct Cycle {
    std::vector<Word> first;
    std::vector<std::vector<Word>> loop;  // the places after it, up to it again
  };

  // `last`: states, by their number, that are not expanded; nullptr: none.  `store`: for places
  // with a note of one word.  Throws Error(usage) or Error(memory) if the budget refuses. REQUIRES:
  // all outlive it.
  DoubleDfs(Places& places, PlaceNumbers& numbers, const BitVector* last, Store& store);

  // May throw Finished.
  std::optional<Cycle> search();

  std::uint64_t seeds() const { return seeds_.size(); }
  std::uint64_t expanded() const { return expanded_; }  // by both searches

 private:
  // What is noted with a place on the stack.
  enum Note : Word { waiting = 0, entered = 1, entered_seed = 2 };

  void search_all();
  std::optional<Cycle> search_from(State seed);
  bool push_steps(State place, bool only_accepting);  // false: one leads to the seed
  void push(State place, Note note);
  bool visit(State place);  // false: it was visited before
  bool is_last(State place) {
    return last_ != nullptr && last_->get(numbers_.of_row(places_.row(place)));
  }
  Cycle cycle_on_stack();

  Places& places_;
  PlaceNumbers& numbers_;
  const BitVector* const last_;
  BitVector visited_;
  StateStack stack_;
  StateFile seeds_;
  std::vector<Word> seed_;
  std::vector<Word> row_;  // for a place with its note
  std::uint64_t expanded_ = 0;
};

}  // namespace spillway
