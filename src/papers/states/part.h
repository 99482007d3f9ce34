// PART: reachability with a partitioned visited set, one partition in RAM at a time.
//
// Idea.  Split states by a hash into n partitions. Sweep the partition with the longest queue:
// load its visited states into memory, expand its queue to the end, and send each successor to
// the queue of its own partition.
//
// Source.  Bao, Jones: Time-efficient model checking with magnetic disk, TACAS 2005, figure 2.
//
//   while some queue is not empty:  i := partition with the longest queue;  M := D[i]
//     while Q[i] is not empty:
//       s := pop Q[i];  if s not in M: add s to M; for t in succ(s): push t to its queue
//     D[i] := M
//
// Cost.  Each sweep reads D[i] once and appends what is new. A successor in another partition is
// written and read as a whole state, however often it is seen: that is what models with many
// transitions pay for. Not breadth-first: there are no levels.
//
// Departures.  D[i] is loaded once for a sweep (the figure loads it for each state); the
// partition is chosen by both parts of its queue (the figure never opens one whose queue is all
// on disk); a successor that is in M is dropped (the figure's else branch would enqueue it);
// only new states are written back. Partitions that do not fit are split, for nobody knows the
// number of states before. PART+cache is not in the paper: a small cache of successors sent to
// other partitions keeps repetitions out of the queues.
#pragma once

#include "papers/states/published.h"

namespace spillway {

struct PartSettings : Sizes {
  bool cache = false;
};

std::unique_ptr<Search> make_part(const SearchContext& context);
std::unique_ptr<Search> make_cached_part(const SearchContext& context);
std::unique_ptr<Search> make_part(const SearchContext& context, const PartSettings& settings);

}  // namespace spillway
