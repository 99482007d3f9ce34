// Shortest lassos whose cycle takes an accepting step of one set state, the seed: figures 5 and 6
// of Edelkamp and Sulewski, corrected as minimal.h says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "papers/cycles/depths.h"
#include "papers/cycles/file_sort.h"
#include "papers/cycles/numbered_states.h"
#include "papers/storage/state_queue.h"

namespace spillway {

struct ShortLasso {
  std::uint64_t length = 0;  // steps of the stem and of the cycle
  std::vector<Word> first;   // where the cycle begins
  std::vector<Word> seed;    // on the cycle, left by an accepting step
};

class ThroughSeed {
 public:
  // What the search needs.  REQUIRES: all outlive it.
  struct Tools {
    SetStates& set_states;
    SetStateNumbers& numbers;
    const Depths& depths;
    BitVector& visited;  // of set states
    Store& plain;        // for set states without a note
    Store& with_source;  // for set states with a set state as a note
    FileSort& queue;     // for set states, each with a length behind it: the order of lengths
  };
  explicit ThroughSeed(const Tools& tools);

  // One that is shorter than `bound`, if there is one.  May throw Finished.
  std::optional<ShortLasso> search(State seed, std::uint64_t bound);

  std::uint64_t seeds_on_cycles() const {
    return on_cycles_;
  }  // for which there was a second phase

 private:
  bool comes_back();
  void look_at(const SetStateStep& step, std::uint64_t steps);
  void begin_anywhere();
  bool advance(std::uint64_t length);
  std::uint64_t depth(State set_state) {
    return tools_.depths[tools_.numbers.of_row(tools_.set_states.row(set_state))];
  }
  bool visit(State set_state);
  void push(State set_state, State source);

  const Tools tools_;
  StateQueue met_;      // in the first phase: the rest of a layer, and the next
  StateQueue sources_;  // the same in the second, each set state with the one it was reached from
  std::vector<Word> row_;
  ShortLasso best_;
  std::uint64_t seed_depth_ = 0;
  bool on_cycle_ = false;
  std::uint64_t on_cycles_ = 0;
};

}  // namespace spillway
