// The graph in which the searches on disk look for accepting cycles: one acceptance set, of steps.
//
// A set state is a state, and, if there are several acceptance sets, the number of the one that is
// to be met next, in a word before the row.  A step is accepting if it meets the last of them.  So
// the set states of a state are neighbours in the order of rows.  Nothing is kept: steps are made
// again whenever they are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "check/session/session.h"

namespace spillway {

struct SetStateStep {
  State to;
  bool accepting;
  bool inside;  // an accepting cycle may have it: it stays within a part
};

class SetStates {
 public:
  // REQUIRES: the session outlives it, and its model has an acceptance property.
  explicit SetStates(Session& session);

  std::size_t words() const { return counter_words_ + session_.model.words(); }  // of a set state
  unsigned sets() const { return sets_; }                                        // at least 1
  State row(State set_state) const { return set_state.subspan(counter_words_); }

  // Valid until the next call of any of the three.  They may throw Finished.
  std::vector<State> initial();
  // The first time: checks the state and counts it.
  const std::vector<SetStateStep>& expand(State set_state);
  // Another time, for which nothing is counted.
  const std::vector<SetStateStep>& expand_again(State set_state);

 private:
  const std::vector<SetStateStep>& steps(State from, States to, const SetMask* marks);
  void add(State to, unsigned set);

  Session& session_;
  const Acceptance& acceptance_;
  const unsigned sets_;
  const std::size_t counter_words_;
  std::vector<SetMask> marks_;
  std::vector<Word> rows_;
  std::vector<SetStateStep> steps_;
  std::uint64_t until_look_ = 1;
};

}  // namespace spillway
