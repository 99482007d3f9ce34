// CBF: breadth-first search with a cache instead of a visited set.
//
// Idea.  Visited states are in a table of fixed size in which a new state may take the place of
// an old one. What was forgotten may be visited again; what was never visited is always new. The
// queue is on disk.
//
// Source.  Tronci, Della Penna, Intrigila, Venturini Zilli: Exploiting transition locality in
// automatic verification, CHARME 2001; as CBF in Della Penna et al.: Integrating RAM and disk
// based verification within the Murphi verifier, 2003.
//
//   for s in Q, t in succ(s):
//     if t is not in T: put it there, over another state if need be (a collision); push t to Q
//   stop when collisions / insertions >= gamma
//
// Cost.  One cache line per transition, a queue on disk, and revisits.
//
// Departures.  The papers do not say over which insertions the rate of collisions is taken: over
// all. A state has 8 places in T, taken in turn. The search ends INCONCLUSIVE when it is too
// high; an empty queue means that it was complete, whatever was forgotten.
#pragma once

#include "papers/states/published.h"

namespace spillway {

struct CachedSettings : Sizes {
  double gamma = 0.1;                       // collisions per insertion that are too many
  std::uint64_t leave_states = UINT64_MAX;  // so many expansions are too many, for tests
  unsigned ways = 8;                        // places in the cache for a state
};

// What a cached search leaves to another one: D is what it remembers, Q what is left of its level,
// and of the next.
struct Dump {
  std::unique_ptr<StateFile> D;
  std::unique_ptr<LevelQueue> Q;
};

class LeavableCached : public Published {
 public:
  using Published::Published;
  // Like search(), but false when there are too many collisions.  Never with a state that is
  // expanded in part.
  virtual bool search_until_crowded() = 0;
  // Then.
  virtual Dump dump() = 0;
};

std::unique_ptr<LeavableCached> make_leavable_cached(Workbench& workbench,
                                                     const CachedSettings& settings);
std::unique_ptr<Search> make_cached(const SearchContext& context);
std::unique_ptr<Search> make_cached(const SearchContext& context, const CachedSettings& settings);

}  // namespace spillway
