#include "check/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "base/quantity.h"
#include "base/stop_request.h"
#include "check/state_numbers.h"
#include "passes/least_prefix.h"

namespace spillway {
namespace {

constexpr std::size_t kUnit = 1024;  // states that a thread takes at a time

[[noreturn]] void not_repeated() {
  throw Error(Fault::model,
              "a state of the model has other successors when it is expanded again, so no result "
              "can be trusted");
}

// Where the states lead, by their numbers.
class StateGraph {
 public:
  StateGraph(const Model& model, const StateNumbers& states, Budget& budget)
      : model_(model),
        states_(states),
        budget_(budget),
        units_((states.size() + kUnit - 1) / kUnit),
        accepting_(budget, states.size()) {}

  void make(Crew& crew) {
    std::atomic<std::size_t> next{0};
    crew.each([&](unsigned) {
      Successors successors(model_.words());
      for (std::size_t i = next++; i < units_.size(); i = next++) fill(i, successors);
    });
  }

  std::span<const StateNumber> targets(StateNumber state) const {
    const Unit& unit = units_[state / kUnit];
    const std::size_t i = state % kUnit;
    const std::uint64_t begin = i == 0 ? 0 : unit.ends[i - 1];
    return {unit.targets.data() + begin, unit.ends[i] - begin};
  }
  bool accepting(StateNumber state) const { return accepting_.get(state); }

  std::vector<StateNumber> initial() const {
    Successors out(model_.words());
    model_.initial(out);
    std::vector<StateNumber> all;
    for (const State state : out.states()) all.push_back(number_of(state));
    return all;
  }

 private:
  struct Unit {
    Claim claim;
    std::vector<std::uint64_t> ends;
    std::vector<StateNumber> targets;
  };

  void fill(std::size_t index, Successors& successors) {
    Unit& unit = units_[index];
    const std::size_t end = std::min<std::size_t>(states_.size(), (index + 1) * kUnit);
    for (std::size_t i = index * kUnit; i < end; ++i) {
      stop_request::obey();
      const State state = states_.row(static_cast<StateNumber>(i));
      if (model_.accepting(state)) accepting_.set_shared(i);
      successors.clear();
      model_.successors(state, successors);
      for (const State next : successors.states()) unit.targets.push_back(number_of(next));
      unit.ends.push_back(unit.targets.size());
    }
    unit.targets.shrink_to_fit();
    unit.claim = Claim(budget_, unit.targets.size() * sizeof(StateNumber) +
                                    kUnit * sizeof(std::uint64_t) + sizeof(Unit));
  }

  StateNumber number_of(State state) const {
    if (const std::optional<StateNumber> number = states_.find(state)) return *number;
    not_repeated();
  }

  const Model& model_;
  const StateNumbers& states_;
  Budget& budget_;
  std::vector<Unit> units_;
  BitVector accepting_;
};

// Ranks by level and, in a level, by number.
class Ranks {
 public:
  Ranks(const StateGraph& graph, StateNumber states, Budget& budget)
      : claim_(budget, std::uint64_t{states} * 2 * sizeof(StateNumber)), ranks_(states, kNone) {
    order_.reserve(states);
    std::vector<StateNumber> level = graph.initial();
    while (!level.empty()) {
      std::vector<StateNumber> next;
      std::ranges::sort(level);
      for (const StateNumber state : level)
        if (ranks_[state] == kNone) {
          ranks_[state] = static_cast<StateNumber>(order_.size());
          order_.push_back(state);
        }
      for (Rank rank = ends_.empty() ? 0 : ends_.back(); rank < order_.size(); ++rank)
        for (const StateNumber target : graph.targets(order_[rank]))
          if (ranks_[target] == kNone) next.push_back(target);
      ends_.push_back(order_.size());
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      level = std::move(next);
      stop_request::obey();
    }
  }

  Rank rank(StateNumber state) const { return ranks_[state]; }
  StateNumber state(Rank rank) const { return order_[rank]; }
  const std::vector<Rank>& ends() const { return ends_; }
  std::uint64_t level(Rank rank) const {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, rank) - ends_.begin());
  }

 private:
  static constexpr StateNumber kNone = UINT32_MAX;
  Claim claim_;
  std::vector<StateNumber> ranks_, order_;
  std::vector<Rank> ends_;
};

void pack(const StateGraph& graph, const Ranks& ranks, Crew& crew, Edges& edges,
          BitVector& accepting) {
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned) {
    EdgeBlock block;
    std::vector<Rank> targets;
    for (std::size_t i = next++; i < edges.blocks(); i = next++) {
      block.begin(edges.begin(i));
      for (Rank rank = edges.begin(i); rank < edges.end(i); ++rank) {
        const StateNumber state = ranks.state(rank);
        if (graph.accepting(state)) accepting.set_shared(rank);
        targets.clear();
        for (const StateNumber target : graph.targets(state)) targets.push_back(ranks.rank(target));
        block.add(targets);
      }
      edges.put(i, block);
    }
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

// What is decided about must be what was searched.
void compare(const Ranks& ranks, const Statistics& searched) {
  if (ranks.ends().size() != searched.levels.size() || ranks.ends().back() != searched.states)
    not_repeated();
}

}  // namespace

void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew) {
  StateNumbers states(budget, session.model.words(), crew.size());
  const bool enumerated = search.each_visited([&](State state) {
    stop_request::obey();
    states.add(state);
  });
  SPILLWAY_CHECK(enumerated);
  states.sort(crew);
  std::optional<StateGraph> graph(std::in_place, session.model, states, budget);
  graph->make(crew);
  const Ranks ranks(*graph, states.size(), budget);
  compare(ranks, session.levels.counts());
  Edges edges(budget, states.size());
  AcceptanceSets sets;
  sets.emplace_back(budget, states.size());
  pack(*graph, ranks, crew, edges, sets[0]);
  graph.reset();
  LeastPrefix prefix(edges, sets, ranks.ends(), budget, crew, {.poll = stop_request::obey});
  if (const std::optional<AcceptingCycle> cycle = prefix.find())
    session.findings.add(finding_of(*cycle, edges, states, ranks));
}

}  // namespace spillway
