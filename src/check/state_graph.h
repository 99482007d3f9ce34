// Where the states of a complete search lead, for what only all of them together decide.
//
// All states are expanded once more.  They get ranks by level and, in a level, by row.  The ranks
// are the same for any number of threads, any memory and any search by levels.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/claim.h"
#include "base/crew.h"
#include "check/search.h"
#include "check/state_numbers.h"
#include "passes/edges.h"

namespace spillway {

// Numbers the states of a search.  Throws Stopped and Error(memory).  REQUIRES: the search is
// complete and can enumerate its states.
void number_states(Search& search, Crew& crew, StateNumbers& states);

// Where the states lead, by their numbers.
class StateGraph {
 public:
  // REQUIRES: all outlive it.
  StateGraph(const Model& model, const StateNumbers& states, Budget& budget)
      : model_(model),
        states_(states),
        budget_(budget),
        units_((states.size() + kUnit - 1) / kUnit) {}

  // Whether marks() is wanted, too.  REQUIRES: before make(), and the model marks steps.
  void want_marks(bool wanted) { wants_marks_ = wanted; }
  // Whether a state without successors leads to itself.  If it has some, and assumptions exclude
  // all of them, it leads nowhere.  REQUIRES: before make(), and no marks are wanted.
  void want_stays(bool wanted) { wants_stays_ = wanted; }
  // Expands all states.  Throws Stopped, Error(memory), and Error(model) if there are successors
  // that the search has not seen.
  void make(Crew& crew);

  // REQUIRES: make() has returned.
  std::span<const StateNumber> targets(StateNumber state) const {
    return of(state, &Unit::targets);
  }
  // Of each target, the acceptance sets of the step to it; none if they are not wanted.
  std::span<const SetMask> marks(StateNumber state) const { return of(state, &Unit::marks); }
  std::vector<StateNumber> initial() const;

 private:
  static constexpr std::size_t kUnit = 1024;  // states that a thread takes at a time
  struct Unit {
    Claim claim;
    std::vector<std::uint64_t> ends;
    std::vector<StateNumber> targets;
    std::vector<SetMask> marks;
  };

  template <class T>
  std::span<const T> of(StateNumber state, std::vector<T> Unit::*values) const {
    const Unit& unit = units_[state / kUnit];
    const std::size_t i = state % kUnit;
    const std::uint64_t begin = i == 0 ? 0 : unit.ends[i - 1];
    if ((unit.*values).empty()) return {};
    return {(unit.*values).data() + begin, unit.ends[i] - begin};
  }
  void fill(std::size_t index, Successors& successors);
  StateNumber number_of(State state) const;

  const Model& model_;
  const StateNumbers& states_;
  Budget& budget_;
  std::vector<Unit> units_;
  bool wants_marks_ = false;
  bool wants_stays_ = false;
};

// The ranks of the states of a graph.
class Ranks {
 public:
  // Throws Stopped and Error(memory).
  Ranks(const StateGraph& graph, StateNumber states, Budget& budget);

  Rank rank(StateNumber state) const { return ranks_[state]; }
  StateNumber state(Rank rank) const { return order_[rank]; }
  // Of each level, the rank after its last state.
  const std::vector<Rank>& ends() const { return ends_; }
  std::uint64_t level(Rank rank) const;

  // Throws Error(model) if these are not the states that were searched.
  void compare(const Statistics& searched) const;

 private:
  static constexpr StateNumber kNone = UINT32_MAX;
  Claim claim_;
  std::vector<StateNumber> ranks_, order_;
  std::vector<Rank> ends_;
};

// All of it for one search: states by rank, and the edges between them, without marks.  A state
// without successors leads to itself; one whose successors are all excluded by assumptions leads
// nowhere.
class RankedStates {
 public:
  // Throws Stopped, Finished and Error(memory, model).  REQUIRES: the search is complete, can
  // enumerate its states, and went by levels; all outlive it.
  RankedStates(Session& session, Search& search, Budget& budget, Crew& crew);

  Rank size() const { return states_.size(); }
  State row(Rank rank) const { return states_.row(ranks_->state(rank)); }
  std::uint64_t level(Rank rank) const { return ranks_->level(rank); }
  const std::vector<Rank>& level_ends() const { return ranks_->ends(); }
  const Edges& edges() const { return edges_; }
  // Whether some state leads nowhere.
  bool has_dead_ends() const { return has_dead_ends_; }

  // Calls visit(worker, rank, row) for all states, on all threads.  It may execute the model.
  void each(const std::function<void(unsigned, Rank, State)>& visit);

 private:
  void pack(const StateGraph& graph);

  Session& session_;
  Crew& crew_;
  StateNumbers states_;
  std::optional<Ranks> ranks_;
  Edges edges_;
  std::atomic<bool> has_dead_ends_{false};
};

}  // namespace spillway
