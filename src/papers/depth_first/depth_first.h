// Common parts of the depth-first searches for accepting cycles: the graph, and the report of a
// run.
//
// They find a cycle early, but which one depends on the order of the search, and with several
// threads on chance.  It is neither the first one nor a short one.
#pragma once

#include <vector>

#include "check/session/search.h"
#include "papers/depth_first/step_graph.h"

namespace spillway {

// Tells the user so.
void announce_any_run(const Lookout& lookout);

class DepthFirstSearch : public Search {
 public:
  DepthFirstSearch(const SearchContext& context, const StepGraphSettings& settings)
      : Search(context), graph(session, budget, crew, settings) {}

  std::uint64_t stored() const override { return graph.stored(); }
  bool decides_acceptance() const override { return true; }
  bool each_visited(const std::function<void(State)>& visit) override {
    graph.each(visit);
    return true;
  }

 protected:
  // `stem` ends where the cycle begins; `loop` are the nodes after that, up to it again.
  [[noreturn]] void report(const std::vector<StepNode>& stem, const std::vector<StepNode>& loop);

  const SetMask wanted = all_sets(model.acceptance().sets());
  StepGraph graph;
};

}  // namespace spillway
