// The textbook search with std::set: slow, on one thread, and nothing that can go wrong.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "check/session/search.h"

namespace spillway {

class PlainSearch : public LevelSearch, public LevelReader {
 public:
  using LevelSearch::LevelSearch;

  void search() override {
    for (const State s : expanders.initial()) meet(s);
    levels.begin(next_.size());
    while (!next_.empty()) {
      levels_.push_back(std::exchange(next_, {}));
      Expander& expander = expanders[0];
      for (const Row& row : levels_.back()) {
        expander.clear();
        for (const State t : expander.expand(row)) meet(t);
      }
      levels.end_level(next_.size());
    }
  }
  std::uint64_t stored() const override { return known_.size(); }
  LevelReader* level_reader() override { return this; }
  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    for (const Row& row : levels_.at(depth)) visit(0, row);
  }

 private:
  using Row = std::vector<Word>;

  void meet(State state) {
    Row row(state.begin(), state.end());
    if (known_.insert(row).second) next_.push_back(std::move(row));
  }

  std::set<Row> known_;
  std::vector<Row> next_;
  std::vector<std::vector<Row>> levels_;
};

inline constexpr Algorithm kPlain{"plain", "for tests",
                                  [](const SearchContext& context) -> std::unique_ptr<Search> {
                                    return std::make_unique<PlainSearch>(context);
                                  }};

}  // namespace spillway
