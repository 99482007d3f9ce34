#include "check/acceptance.h"

#include "base/stop_request.h"
#include "check/state_graph.h"
#include "passes/least_prefix.h"

namespace spillway {
namespace {

// The accepting states, by rank.
void find_accepting(const Model& model, const StateNumbers& states, const Ranks& ranks, Crew& crew,
                    BitVector& accepting) {
  crew.each([&](unsigned worker) {
    for (Rank rank = worker; rank < accepting.size(); rank += crew.size())
      if (model.accepting(states.row(ranks.state(rank)))) accepting.set_shared(rank);
  });
}

Finding finding_of(const AcceptingCycle& cycle, const Edges& edges, const StateNumbers& states,
                   const Ranks& ranks) {
  const auto row = [&](Rank rank) {
    const State state = states.row(ranks.state(rank));
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{FindingKind::acceptance, 0, ranks.level(cycle.first), row(cycle.first)};
  for (const Rank rank : stem_to(cycle.first, edges, ranks.ends()))
    finding.stem.push_back(row(rank));
  for (const Rank rank : cycle.nodes) finding.loop.push_back(row(rank));
  return finding;
}

}  // namespace

void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew) {
  StateNumbers states(budget, session.model.words(), crew.size());
  number_states(search, crew, states);
  std::optional<StateGraph> graph(std::in_place, session.model, states, budget);
  graph->make(crew);
  const Ranks ranks(*graph, states.size(), budget);
  ranks.compare(session.levels.counts());
  Edges edges(budget, states.size());
  pack(*graph, ranks, crew, edges);
  graph.reset();
  AcceptanceSets sets;
  sets.emplace_back(budget, states.size());
  find_accepting(session.model, states, ranks, crew, sets[0]);
  LeastPrefix prefix(edges, sets, ranks.ends(), budget, crew, {.poll = stop_request::obey});
  if (const std::optional<AcceptingCycle> cycle = prefix.find())
    session.findings.add(finding_of(*cycle, edges, states, ranks));
}

}  // namespace spillway
