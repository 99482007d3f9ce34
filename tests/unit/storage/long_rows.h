// A LongRowTable with the pool, the writer and the segments it needs.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "storage/table/long_row_table.h"

namespace spillway {

using LongRow = std::vector<Word>;

inline LongRow random_long_row(std::mt19937_64& random, std::size_t words, Word bound = ~Word{0}) {
  LongRow row(words);
  for (Word& word : row) word = random() % bound;
  return row;
}

class LongTwin {
 public:
  LongTwin(std::uint64_t index_bytes, std::size_t words, std::size_t homes, unsigned threads = 2)
      : budget(index_bytes),
        pool(pool_budget, words, 10),
        table(budget, pool, words, homes),
        crew(threads) {}

  Budget budget;  // of the index
  Budget pool_budget{std::uint64_t{64} << 20};
  RowPool pool;
  LongRowTable table;
  Crew crew;
  RowPool::Writer writer{pool};
  std::vector<RowPool::Segment> taken;

  Insert insert(const LongRow& row) {
    EXPECT_TRUE(writer.ready());
    return table.insert(row.data(), place_hash(row.data(), row.size()), writer);
  }
  bool grow() { return table.grow(crew, segments()); }
  Insert insert_growing(const LongRow& row) {
    for (;;) {
      const Insert done = insert(row);
      if (done != Insert::full) return done;
      if (!grow()) return done;
    }
  }

  // What was written from now on is in other segments than what was before.
  void take_segments() {
    const std::vector<RowPool::Segment> more = writer.take(false);
    taken.insert(taken.end(), more.begin(), more.end());
  }
  std::vector<RowPool::Segment> segments() const {
    std::vector<RowPool::Segment> all = taken;
    writer.peek(all);
    return all;
  }

  std::set<LongRow> stored_rows() const {
    std::set<LongRow> rows;
    for (const RowPool::Segment segment : segments())
      for (const State row : pool.rows(segment))
        EXPECT_TRUE(rows.emplace(row.begin(), row.end()).second);
    return rows;
  }
};

}  // namespace spillway
