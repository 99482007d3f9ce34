#include "check/acceptance.h"

#include <atomic>

#include "base/stop_request.h"
#include "check/state_graph.h"
#include "passes/least_prefix.h"

namespace spillway {
namespace {

// Packs the edges that an accepting cycle can have, those within one part, with their marks.
class AcceptancePacker {
 public:
  AcceptancePacker(const Model& model, const StateGraph& graph, const StateNumbers& states,
                   const Ranks& ranks)
      : model_(model), graph_(graph), states_(states), ranks_(ranks) {}

  void pack(Crew& crew, Edges& edges) const {
    std::atomic<std::size_t> next{0};
    crew.each([&](unsigned) {
      EdgeBlock block;
      for (std::size_t i = next++; i < edges.blocks(); i = next++) {
        stop_request::obey();
        block.begin(edges.begin(i));
        for (Rank rank = edges.begin(i); rank < edges.end(i); ++rank)
          add(ranks_.state(rank), block);
        edges.put(i, block);
      }
    });
  }

 private:
  void add(StateNumber state, EdgeBlock& block) const {
    const std::uint32_t part = model_.acceptance_part(states_.row(state));
    const std::span<const StateNumber> all = graph_.targets(state);
    const std::span<const SetMask> all_marks = graph_.marks(state);
    std::vector<Rank> targets;
    std::vector<SetMask> marks;
    for (std::size_t i = 0; part != Model::kNoPart && i < all.size(); ++i) {
      if (model_.acceptance_part(states_.row(all[i])) != part) continue;
      targets.push_back(ranks_.rank(all[i]));
      if (!all_marks.empty()) marks.push_back(all_marks[i]);
    }
    if (model_.marks_steps())
      block.add(targets, marks);
    else
      block.add(targets, model_.accepting(states_.row(state)) ? 1 : 0);
  }

  const Model& model_;
  const StateGraph& graph_;
  const StateNumbers& states_;
  const Ranks& ranks_;
};

// The way to the cycle is left to the reader of the levels.
Finding finding_of(const AcceptingCycle& cycle, const StateNumbers& states, const Ranks& ranks) {
  const auto row = [&](Rank rank) {
    const State state = states.row(ranks.state(rank));
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{FindingKind::acceptance, 0, ranks.level(cycle.first), row(cycle.first)};
  for (const Rank rank : cycle.nodes) finding.loop.push_back(row(rank));
  return finding;
}

}  // namespace

void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew) {
  const Model& model = session.model;
  StateNumbers states(budget, model.words(), crew.size());
  number_states(search, crew, states);
  if (states.size() == 0) return;  // of a product that no run begins
  std::optional<StateGraph> graph(std::in_place, model, states, budget);
  graph->want_marks(model.marks_steps());
  graph->make(crew);
  const Ranks ranks(*graph, states.size(), budget);
  ranks.compare(session.levels.counts());
  Edges edges(budget, states.size());
  AcceptancePacker(model, *graph, states, ranks).pack(crew, edges);
  graph.reset();
  LeastPrefix prefix(edges, all_sets(model.acceptance_sets()), ranks.ends(), budget, crew,
                     {.poll = stop_request::obey});
  if (const std::optional<AcceptingCycle> cycle = prefix.find())
    session.findings.add(finding_of(*cycle, states, ranks));
}

}  // namespace spillway
