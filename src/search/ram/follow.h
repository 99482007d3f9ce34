// What a RAM search does with the steps between the states that it visits, besides visiting them.
//
// A worker tells the Follow of its thread
//   - expanded(number, state, first, end): these successors of a state are in the batch;
//   - settled(batch, mark, number): number(i) is the number of successor i in the batch, and
//     mark(i) the mark of the step to it;
//   - forget(): the batch is forgotten.
// Numbers are those of the visited set.  The Aim of the search has the Follows, and is told what
// there is to know between two levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/state.h"
#include "check/session/search.h"
#include "storage/table/row_pool.h"

namespace spillway {

struct NoFollow {
  static constexpr bool kNumbers = false;  // rows need none
  static void expanded(std::uint64_t /*number*/, State /*state*/, std::size_t /*first*/,
                       std::size_t /*end*/) {}
};

// The aim of a search that visits all states and nothing else.
class VisitAll {
 public:
  using Follow = NoFollow;
  static constexpr bool kDecidesAcceptance = false;

  template <class Set>
  VisitAll(const SearchContext& /*context*/, Set& /*visited*/) {}

  NoFollow& follow(unsigned /*thread*/) { return none_; }
  // These rows are the next level, which is not expanded yet.  May throw Error(memory).
  void add_level(const std::vector<RowPool::Segment>& /*rows*/) {}
  // All states of a level were expanded, and the next level was added.  May throw Error(memory).
  void add_steps() {}
  // Between two levels, or after the last one (`is_all`).  May throw Finished and Error(memory).
  void decide(bool /*is_all*/) {}
  // Levels were added that an earlier process has searched, and the one that comes next.  May throw
  // what decide() does.
  void go_on() {}
  // See Handover.
  static std::uint64_t decided_states() { return 0; }

 private:
  NoFollow none_;
};

}  // namespace spillway
