// The graph in which the searches on disk look for accepting cycles: one acceptance set, of steps.
//
// A place is a state, and, if there are several acceptance sets, the number of the one that is to
// be met next, in a word before the row.  A step is accepting if it meets the last of them.  So the
// places of a state are neighbours in the order of rows.  Nothing is kept: steps are made again
// whenever they are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "check/session.h"

namespace spillway {

struct PlaceStep {
  State to;
  bool accepting;
  bool inside;  // an accepting cycle may have it: it stays within a part
};

class Places {
 public:
  // REQUIRES: the session outlives it, and its model has an acceptance property.
  explicit Places(Session& session);

  std::size_t words() const { return counter_words_ + model_.words(); }  // of a place
  unsigned sets() const { return sets_; }                                // at least 1
  State row(State place) const { return place.subspan(counter_words_); }

  // Valid until the next call of any of the three.  They may throw Finished.
  std::vector<State> initial();
  // The first time: checks the state and counts it.
  const std::vector<PlaceStep>& expand(State place);
  // Another time, for which nothing is counted.
  const std::vector<PlaceStep>& expand_again(State place);

 private:
  const std::vector<PlaceStep>& steps(State from, States to, const SetMask* marks);
  void add(State to, unsigned set);

  Session& session_;
  const Model& model_;
  const unsigned sets_;
  const std::size_t counter_words_;
  Successors successors_;
  std::vector<SetMask> marks_;
  std::vector<Word> rows_;
  std::vector<PlaceStep> steps_;
  std::uint64_t until_look_ = 1;
};

}  // namespace spillway
