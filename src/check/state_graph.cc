#include "check/state_graph.h"

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "base/stop_request.h"

namespace spillway {
namespace {

[[noreturn]] void not_repeated() {
  throw Error(Fault::model,
              "a state of the model has other successors when it is expanded again, so no result "
              "can be trusted");
}

StateNumbers numbered(Session& session, Search& search, Budget& budget, Crew& crew) {
  StateNumbers states(budget, session.model.words(), crew.size());
  number_states(search, crew, states);
  return states;
}

}  // namespace

void number_states(Search& search, Crew& crew, StateNumbers& states) {
  const bool enumerated = search.each_visited([&](State state) {
    stop_request::obey();
    states.add(state);
  });
  SPILLWAY_CHECK(enumerated);
  states.sort(crew);
}

void StateGraph::make(Crew& crew) {
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned) {
    Successors successors(model_.words());
    successors.want_marks(wants_marks_);
    for (std::size_t i = next++; i < units_.size(); i = next++) fill(i, successors);
  });
}

void StateGraph::fill(std::size_t index, Successors& successors) {
  Unit& unit = units_[index];
  const std::size_t end = std::min<std::size_t>(states_.size(), (index + 1) * kUnit);
  for (std::size_t i = index * kUnit; i < end; ++i) {
    stop_request::obey();
    successors.clear();
    model_.successors(states_.row(static_cast<StateNumber>(i)), successors);
    for (const State next : successors.states()) unit.targets.push_back(number_of(next));
    if (wants_stays_ && successors.size() == 0 && !successors.moved())
      unit.targets.push_back(static_cast<StateNumber>(i));
    for (std::size_t k = 0; wants_marks_ && k < successors.size(); ++k)
      unit.marks.push_back(successors.mark(k));
    unit.ends.push_back(unit.targets.size());
  }
  unit.targets.shrink_to_fit();
  unit.marks.shrink_to_fit();
  unit.claim = Claim(budget_, unit.targets.size() * sizeof(StateNumber) +
                                  unit.marks.size() * sizeof(SetMask) +
                                  kUnit * sizeof(std::uint64_t) + sizeof(Unit));
}

std::vector<StateNumber> StateGraph::initial() const {
  Successors out(model_.words());
  model_.initial(out);
  std::vector<StateNumber> all;
  for (const State state : out.states()) all.push_back(number_of(state));
  return all;
}

StateNumber StateGraph::number_of(State state) const {
  if (const std::optional<StateNumber> number = states_.find(state)) return *number;
  not_repeated();
}

Ranks::Ranks(const StateGraph& graph, StateNumber states, Budget& budget)
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

std::uint64_t Ranks::level(Rank rank) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, rank) - ends_.begin());
}

void Ranks::compare(const Statistics& searched) const {
  const Rank ranked = ends_.empty() ? 0 : ends_.back();
  if (ends_.size() != searched.levels.size() || ranked != searched.states) not_repeated();
}

RankedStates::RankedStates(Session& session, Search& search, Budget& budget, Crew& crew)
    : session_(session),
      crew_(crew),
      states_(numbered(session, search, budget, crew)),
      edges_(budget, states_.size()) {
  session.lookout.look_up();
  StateGraph graph(session.model, states_, budget);
  graph.want_stays(true);
  {
    const Expanders::InModel in_model(session.expanders);
    graph.make(crew);
  }
  session.lookout.look_up();
  ranks_.emplace(graph, states_.size(), budget);
  ranks_->compare(session.levels.counts());
  pack(graph);
  session.lookout.look_up();
}

void RankedStates::pack(const StateGraph& graph) {
  std::atomic<std::size_t> next{0};
  crew_.each([&](unsigned) {
    EdgeBlock block;
    std::vector<Rank> targets;
    for (std::size_t i = next++; i < edges_.blocks(); i = next++) {
      block.begin(edges_.begin(i));
      for (Rank rank = edges_.begin(i); rank < edges_.end(i); ++rank) {
        targets.clear();
        for (const StateNumber target : graph.targets(ranks_->state(rank)))
          targets.push_back(ranks_->rank(target));
        if (targets.empty()) has_dead_ends_ = true;
        block.add(targets);
      }
      edges_.put(i, block);
    }
  });
}

void RankedStates::each(const std::function<void(unsigned, Rank, State)>& visit) {
  const Expanders::InModel in_model(session_.expanders);
  constexpr Rank kTaken = 1024;  // by a thread at a time
  std::atomic<Rank> next{0};
  crew_.each([&](unsigned worker) {
    for (Rank begin; (begin = next.fetch_add(kTaken)) < size();)
      for (Rank rank = begin; rank < std::min(begin + kTaken, size()); ++rank) {
        stop_request::obey();
        visit(worker, rank, row(rank));
      }
  });
}

}  // namespace spillway
