// Hands over from a search in memory to another search, when memory is full or the other is faster.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "check/session/external_bfs.h"
#include "check/session/search.h"

namespace spillway {

// Takes an array of rows, which may be sorted where it is; or rows that must stay as they are, and
// that each(use) passes to use(), some at a time.
using TakeRows = std::function<void(Word* rows, std::size_t count)>;
using UseRows = std::function<void(States)>;
using EachRows = std::function<void(const UseRows& use)>;
using ViewRows = std::function<void(const EachRows& each)>;

// What is left to the next search.  It is valid as long as the search that made it.
struct Handover {
  enum class During {
    loading,         // the journal, which has all there is: nothing else is set
    initial_states,  // no level had begun
    level,
    decision,  // of what the states mean: all of them were expanded
  };
  During during = During::level;
  bool memory_is_full = true;  // or the next search is faster: between levels

  // The states of the current level that were not expanded.  The journal has the entire level, so
  // that it can be saved if what follows fails.
  EachRows unexpanded = {};
  // The states of the next level that were found, and successors that were not looked up.
  EachRows candidates = {};
  // So many levels are complete, and each_of_level() passes the states of each, if the search can
  // tell.  The next search keeps them then.
  std::uint64_t levels = 0;
  std::function<void(std::uint64_t depth, const UseRows& use)> each_of_level = {};
  // The number of states at which all of them were last known to have no accepting cycle.
  std::uint64_t decided_states = 0;
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

// A search on disk that can take over from a search in memory.
class Continuation : public ExternalBfs {
 public:
  using ExternalBfs::ExternalBfs;

  // Does what is left, instead of search().  Ends `ram`, which made `left`, as soon as its states
  // are in runs.  Without a journal, levels that `left` does not have are unavailable, and
  // each_at_depth(0) is the first one after those.
  virtual void continue_from(std::unique_ptr<InterruptibleSearch> ram, Handover left) = 0;
};

using MakeContinuation = std::function<std::unique_ptr<Continuation>(const SearchContext&)>;

}  // namespace spillway
