// Decides whether some run of a model meets accepting states for ever.
#pragma once

#include <optional>
#include <string>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/graph/state_graph.h"
#include "check/session/search.h"
#include "passes/shortest_lasso.h"

namespace spillway {

// The levels of a search so far, and whether they have an accepting cycle.
//
// Their states are expanded once more to know where they lead (state_graph.h), and then it is
// decided by passes over the edges (passes/least_prefix.h).  What is found is the same for any
// number of threads, any memory and any choice of when to look: the least prefix of levels with an
// accepting cycle, the least state of it on such a cycle, and a shortest cycle through that state.
// Or a shortest way to an accepting cycle, together with the cycle (passes/shortest_lasso.h).
class AcceptingPrefix {
 public:
  // `disk`: for what exceeds memory; nullptr: nothing may.  `minimal`: the way and the cycle are to
  // be shortest.  REQUIRES: the model has an acceptance property, and all outlive this object.
  AcceptingPrefix(Session& session, Budget& budget, Crew& crew, Disk* disk, bool minimal,
                  const StateGraphSettings& settings = {})
      : session_(session),
        crew_(crew),
        disk_(disk),
        minimal_(minimal),
        states_(session, budget, crew, disk, StateGraph::Kept::accepting, settings) {}

  // Once the search is complete, edges and passes are kept there from time to time.  REQUIRES: it
  // outlives this object.
  void keep_in(Checkpoints& checkpoints) {
    checkpoints_ = &checkpoints;
    states_.keep_in(checkpoints);
  }

  // An accepting cycle of the first `end` levels; the way to it is left to the reader of the
  // levels. `is_all`: there are no others.  `budget`: for the passes.  May throw Finished, Stopped,
  // Error(memory) and errors of the disk.  REQUIRES: no fewer than in the call before, which has
  // found none.
  std::optional<Finding> extend(LevelReader& levels, std::uint64_t end, bool is_all,
                                Budget& budget);
  // There is an accepting cycle, and whether a shorter one has been missed will be known with so
  // many levels.  0: there is none so far.
  std::uint64_t wanted_levels() const { return lasso_.wanted_levels(); }

 private:
  void begin_with_kept(BitVector& set);
  void keep(const BitVector& set);
  std::optional<AcceptingCycle> find(bool is_all, Budget& budget);
  std::optional<AcceptingCycle> find_apart(LeastPrefixSettings passes, bool is_all, Budget& budget);
  std::optional<AcceptingCycle> find_in(const Edges& edges, const LeastPrefixSettings& passes,
                                        bool is_all, Budget& budget);
  std::optional<AcceptingCycle> find_shortest(const Edges& edges, const LeastPrefixSettings& passes,
                                              bool is_all, Budget& budget);
  std::optional<AcceptingCycle> agreed(std::optional<AcceptingCycle> own);
  Finding finding_of(const AcceptingCycle& cycle, LevelReader& levels);

  Session& session_;
  Checkpoints* checkpoints_ = &Checkpoints::none();
  Crew& crew_;
  Disk* const disk_;
  const bool minimal_;
  bool is_shortest_ = false;  // what was found
  LassoInLevels lasso_;
  StateGraph states_;
  std::uint64_t checked_ = 0;  // levels that have none
};

// Tells the user that a run which was to be a shortest one may be none.
void announce_not_shortest(const Lookout& lookout, const std::string& why);

// Decides it once the search has seen every state, and reports an accepting cycle to the session.
// Edges and passes are kept in the checkpoints.
// Throws what AcceptingPrefix does.  REQUIRES: the model has an acceptance property, the search is
// complete, and it went by levels.
void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk,
                       bool minimal, Checkpoints& checkpoints);

}  // namespace spillway
