// Rows for tests of sorted runs, and a store for the runs.
#pragma once

#include <random>
#include <set>
#include <vector>

#include "base/memory/budget.h"
#include "storage/runs/packing/row_order.h"
#include "storage/runs/sorted_run.h"
#include "support/memory_disk.h"

namespace spillway {

using SortedRow = std::vector<Word>;
struct RowOrder {
  bool operator()(const SortedRow& a, const SortedRow& b) const {
    return below(a.data(), b.data(), Width<0>(a.size()));
  }
};
using SortedRows = std::set<SortedRow, RowOrder>;

inline std::vector<Word> flat_words(const SortedRows& rows) {
  std::vector<Word> words;
  for (const SortedRow& row : rows) words.insert(words.end(), row.begin(), row.end());
  return words;
}

// Up to `most` rows that are often equal to others.
inline SortedRows some_rows(std::mt19937_64& random, std::size_t words, std::size_t most) {
  SortedRows rows;
  for (std::size_t i = random() % (most + 1); i > 0; --i) {
    SortedRow row(words);
    for (Word& word : row) word = random() % 7 * 0x2492492492492492;
    row[random() % words] += random() % 30;
    rows.insert(row);
  }
  return rows;
}

// A run of these rows.
template <std::size_t W>
SortedRun<W> write_run(ChunkStore& store, const BlockShape& shape, const SortedRows& rows) {
  BlockPacker<W> packer(shape);
  RunWriter<W> writer(store, packer);
  const std::vector<Word> words = flat_words(rows);
  writer.add(words.data(), rows.size());
  SortedRun<W> run = writer.finish();
  run.be_whole();
  return run;
}

}  // namespace spillway
