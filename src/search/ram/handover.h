// Hands over from a search in memory to another search, when memory is full or the other is faster.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "check/session/search.h"

namespace spillway {

// Takes an array of rows, which may be sorted where it is; or rows that must stay as they are, and
// that each(use) passes to use(), some at a time.
using TakeRows = std::function<void(Word* rows, std::size_t count)>;
using EachRows = std::function<void(const std::function<void(States)>& use)>;
using ViewRows = std::function<void(const EachRows& each)>;

// What is left to the next search.  Views are valid as long as the search that made it.
struct Handover {
  enum class During {
    loading,         // the journal, which has all there is: nothing else is set
    initial_states,  // no level had begun
    level,
  };
  During during = During::level;
  bool memory_is_full = true;  // or the next search is faster: between levels

  // The states of the current level that were not expanded.  The journal has the entire level, so
  // that it can be saved if what follows fails.
  std::vector<States> unexpanded = {};
  // The states of the next level that were found, and successors that were not looked up.
  std::vector<States> candidates = {};
  // Gives all states seen except those of the next level, by calls of `take` or of `view`.  To be
  // called once.  The memory of the table is free afterwards.
  std::function<void(const TakeRows& take, const ViewRows& view)> give_visited = {};
};

class InterruptibleSearch : public LevelSearch, public LevelReader {
 public:
  using LevelSearch::LevelSearch;

  LevelReader* level_reader() override { return this; }

  // Like search(), but if memory is full or sorted runs are faster, stops and returns what is left
  // to do.
  virtual std::optional<Handover> search_until_full() = 0;
};

}  // namespace spillway
