// Common parts of the searches with a perfect hash: an external breadth-first search first, then
// numbers for the states that it has found.
//
// The breadth-first search has half of the budget, and the perfect hash and what is indexed by it
// the other half.  States are checked and counted by the breadth-first search only.
#pragma once

#include <memory>
#include <optional>

#include "check/session/external_bfs.h"
#include "papers/cycles/set_states.h"
#include "papers/hash/perfect_hash.h"
#include "papers/storage/store.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

// Sizes that only tests change.
struct NumberedSettings {
  PerfectHashSettings hash = {};
  std::size_t block_rows = 0;  // of stacks and files, at most; 0: as many as fit
};

// Numbers of set states, those of a state side by side.
class SetStateNumbers {
 public:
  // REQUIRES: both outlive it.
  SetStateNumbers(PerfectHash& hash, const SetStates& set_states)
      : hash_(hash), set_states_(set_states) {}

  // REQUIRES: a set state of a state that the hash was made of.
  std::uint64_t operator()(State set_state) {
    return hash_(set_states_.row(set_state)) * set_states_.sets() +
           (set_states_.sets() > 1 ? set_state[0] : 0);
  }
  std::uint64_t size() const { return hash_.size() * set_states_.sets(); }
  std::uint64_t of_row(State row) { return hash_(row); }

 private:
  PerfectHash& hash_;
  const SetStates& set_states_;
};

class NumberedStatesSearch : public LevelSearch {
 public:
  NumberedStatesSearch(const SearchContext& context, const MakeExternalBfs& make_bfs,
                       const NumberedSettings& settings);

  std::uint64_t stored() const override { return bfs->stored(); }
  bool decides_acceptance() const override { return true; }
  LevelReader* level_reader() override { return bfs->level_reader(); }
  bool each_visited(const std::function<void(State)>& visit) override;
  Statistics statistics() const override;

 protected:
  // Of all states that were found so far.
  PerfectHash make_hash();
  // `label` is a literal.
  Store make_store(Shape shape, std::string_view label);
  // Calls visit(row) for the states of a level, one at a time.
  void each_of_level(std::uint64_t depth, const std::function<void(State)>& visit);
  std::uint64_t levels_found() const { return levels.counts().levels.size(); }  // and expanded
  std::uint64_t depth_of(State row);  // REQUIRES: it is in one of the levels that were expanded
  // Adds the run that goes to `first` on a shortest way, and round the loop for ever: the set
  // states after `first`, up to it again. `minimal`: as in Finding.
  void report(const std::vector<Word>& first, const std::vector<std::vector<Word>>& loop,
              std::uint64_t depth, bool minimal = false);
  void note(const PerfectHash& hash);  // for the statistics
  void count(std::string_view name, std::uint64_t value) { counters_.push_back({name, value}); }

  Budget of_bfs{budget, budget.limit() / 2};
  const std::unique_ptr<ExternalBfs> bfs;
  SetStates set_states{session};
  NumberedSettings settings;

 private:
  Counters counters_;
};

}  // namespace spillway
