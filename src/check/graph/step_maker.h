// Makes the steps of states once more that a search has expanded.
//
// Idea.  Nodes come in the order of their numbers, level by level.  Those of a level are expanded
// when those of the next one have come, or when there is no more room to remember them.  So the
// targets of most steps are found among the nodes that came last (passes/recent_nodes.h), and these
// steps are edges.  Of the other targets, only the rows are known.
//
// Of several ranks, each expands its own states, and all remember the same nodes.
#pragma once

#include <vector>

#include "base/process/crew.h"
#include "check/graph/edge_post.h"
#include "check/graph/numbered_levels.h"
#include "passes/recent_nodes.h"

namespace spillway {

class StepMaker {
 public:
  struct Settings {
    NumberedLevels::Kept kept;
    std::size_t room;                  // nodes that are remembered; on all ranks as many
    Node begin = 0;                    // the first one that comes
    Node first = 0;                    // the first one that is expanded
    std::uint64_t levels = 0;          // before it
    EdgePost::Arrivals arrivals = {};  // where edges and steps go
  };
  // Throws Error(usage) if the budget refuses.  REQUIRES: all outlive it, and the crew has as many
  // threads as the session has expanders.
  StepMaker(Session& session, Budget& budget, Crew& crew, EdgePost& post, Settings settings);

  // All of these throw Finished, Stopped, and what the post and where it leads to throw.

  // The next nodes.
  void add(States rows);
  Node end() const { return recent_.end(); }
  // Those that have come are all of a level.  `may_expand_next`: those of the next one are to be
  // expanded, too.
  void begin_level(bool may_expand_next);

  // What all ranks have met together.
  struct Met {
    bool dead_end;  // a state leads nowhere, where all states are kept
    bool lost;      // a step leads to a state that was not remembered
  };
  // Expands what is left.  Throws Error(model) if the states of some level have more successors
  // than in the search, or fewer.
  Met finish();

 private:
  struct alignas(128) Worker {
    struct OpenStep {
      Node source;
      std::size_t target;  // in the batch of the expander
      SetMask mark;
      std::uint64_t hash;
      std::uint32_t guess;
    };
    std::vector<OpenStep> steps;
    Tally expanded;  // of the level that is expanded; without a digest
    Met met{};
  };

  std::size_t room_left() const;
  void expand_some();
  void finish_level();
  void expand_until(Node end);
  void expand(unsigned thread, Node first, std::size_t count);
  void list_steps(Worker& worker, const Successors& out, Node node, std::size_t first) const;
  void agree_on(Met& met);
  void compare_with_search() const;

  Session& session_;
  const Acceptance& acceptance_;
  Crew& crew_;
  EdgePost& post_;
  const Settings settings_;
  std::vector<Worker> workers_;
  RecentNodes recent_;
  Node expanded_;                // all before this one are
  Node level_end_;               // of the level that is expanded
  bool is_finished_ = true;      // all of it
  bool may_expand_next_ = true;  // states of the next level
  std::vector<Tally> tallies_;   // of each level that is finished
};

}  // namespace spillway
