// A graph that was searched by levels, for tests of what is made of it afterwards.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "check/graph/numbered_levels.h"
#include "language/graph/graph_model.h"
#include "support/memory_disk.h"
#include "unit/check/plain_search.h"

namespace spillway {

class SearchedGraph {
 public:
  explicit SearchedGraph(const std::string& text) : model("graph", text) {
    search.search();
    for (std::uint64_t depth = 0; depth < session.levels.counts().levels.size(); ++depth) {
      std::vector<Word> rows;
      search.each_at_depth(depth, [&](unsigned, State row) { rows.push_back(row[0]); });
      std::ranges::sort(rows);
      levels.push_back(std::move(rows));
    }
  }

  const GraphModel model;
  std::vector<std::string> told;
  Session session{model, with_two_threads()};
  Budget budget{std::uint64_t{64} << 20};
  Crew crew{2};
  MemoryDisk disk;
  PlainSearch search{SearchContext{session, budget, crew, disk}};
  ChunkStore store{budget, disk, 4096 - kBlockHeaderBytes, 4096, 0};
  std::vector<std::vector<Word>> levels;  // of rows, each in order

  NumberedLevels numbers(NumberedLevels::Kept kept = NumberedLevels::Kept::all) {
    return {session, crew, store, std::uint64_t{1} << 16, kept};
  }

 private:
  SessionOptions with_two_threads() {
    SessionOptions options;
    options.threads = 2;
    options.announcer = [this](const std::string& text) { told.push_back(text); };
    return options;
  }
};

// Gives numbers to the nodes of one more level.
inline void number_next(NumberedLevels& numbers, LevelReader& reader) {
  Node end = numbers.size();
  numbers.read(reader, numbers.levels(), [&](Node first, States rows) {
    SPILLWAY_CHECK(first == end);
    end += rows.size();
  });
  numbers.end_level(end);
}

}  // namespace spillway
