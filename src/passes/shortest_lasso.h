// A shortest lasso: a way to an accepting cycle, and the cycle, with the fewest steps together.
//
// Idea.  The level of a node is its depth, and a step leads to the next level at most.  So a lasso
// that comes to level k, counted from 0, has more than k steps.  Let L be the number of levels of
// the least prefix with an accepting cycle: every lasso comes to level L - 1, and none has fewer
// than L steps.  Those of L steps are looked for first, then those of up to L + 1, L + 3, L + 7,
// and so on; that takes as many levels.  The cycle is entered in its least level, so there is a
// step to the entry from the same level or a later one, and it is not far to there from level
// L - 1.  From each node that can be an entry, breadth-first search finds a shortest accepting
// cycle: from many at once, in groups at first.  Ways that could not come to level L - 1 in time
// are given up.
//
//   for bound := L, L + 1, L + 3, ... until one is found:
//     S := nodes on accepting cycles of the first `bound` levels
//     T := nodes of S with an edge from S out of the same level or a later one, that can be reached
//          from some level l >= L - 1 within S in at most bound - l steps
//     for d from the last level down, t in T of level d, by groups:
//       breadth-first within S, in levels from d on;
//         after k steps, if d + k < L - 1, in levels from d + k - (bound - L) on
//       if t is met again with all sets after k steps, d + k <= bound:
//         best := (t, k);  bound := d + k - 1
//
// Source.  Our own.  Gastin and Moro (2007) and Edelkamp and Sulewski (2008) search from each
// accepting state, twice.
//
// Cost.  3 bits of memory for each node, and up to 64 times as many if there is room; twice as much
// for each set that not all edges are in.  One search for each 64 nodes of T that groups have left,
// or fewer.  The last one writes down what it meets, packed, on disk where needed.
//
// Of several shortest lassos, it is one whose cycle is entered in the last level possible, there at
// the least node; and before each node of the cycle comes the least that can stand there.  So it is
// the same for any number of threads and any memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process/crew.h"
#include "passes/least_prefix.h"

namespace spillway {

struct ShortestLassoSettings {
  LeastPrefixSettings passes;
  EdgeRoom room = {};  // for what exceeds memory
  std::function<void(const std::string&)> tell = [](const std::string&) {};  // the user
  // Only tests change it: a power of two.
  unsigned most_lanes = 64;
};

class ShortestLasso {
 public:
  struct Graph {
    const Edges& edges;
    SetMask wanted;  // the sets that a cycle has to meet
    const std::vector<Node>& ends;
  };
  // `least_levels`: of the least prefix with an accepting cycle.  REQUIRES: all outlive it.
  ShortestLasso(const Graph& graph, std::uint64_t least_levels, Budget& budget, Crew& crew,
                const ShortestLassoSettings& settings);

  // One that is shortest, if it has at most `bound` steps.  REQUIRES: the graph has so many levels,
  // or all that there are.  Throws Error(memory) and Error(usage) if there is too little memory, or
  // if there are too many sets to tell their combinations apart; and what poll() throws.
  std::optional<AcceptingCycle> find(std::uint64_t bound);

 private:
  const Graph graph_;
  const std::uint64_t least_levels_;
  Budget& budget_;
  Crew& crew_;
  const ShortestLassoSettings& settings_;
};

// The search for a shortest lasso while levels are being added.
class LassoInLevels {
 public:
  struct Found {
    AcceptingCycle cycle;
    std::string why_not;  // it is a shortest one; empty if it is
  };
  // Levels to wait for before the next call of find(); 0: no cycle is known yet.
  std::uint64_t wanted_levels() const { return least_ == 0 ? 0 : least_ + slack_; }

  // One that is shortest, if that is certain by now.  `without`: levels that have no accepting
  // cycle.  `is_all`: there are no more levels.  Throws what LeastPrefix does.
  std::optional<Found> find(const ShortestLasso::Graph& graph, std::uint64_t without, bool is_all,
                            Budget& budget, Crew& crew, const ShortestLassoSettings& settings);

 private:
  std::uint64_t least_ = 0;  // levels of the least prefix; 0: there is none yet
  std::uint64_t slack_ = 0;  // no lasso has fewer steps than least_, and half of this
};

}  // namespace spillway
