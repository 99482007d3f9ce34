// Stores with buffers of one row, of a few and of many, and rows to put into them.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "papers/storage/store.h"
#include "unit/io/disks.h"

namespace spillway {

using Row = std::vector<Word>;

struct StoreKind {
  DiskKind disk;
  Shape shape;
  std::size_t rows_per_block;  // 0: as many as go in
};

inline std::vector<StoreKind> store_kinds() {
  std::vector<StoreKind> kinds;
  for (const DiskKind disk : {DiskKind::memory, DiskKind::uring})
    for (const Shape shape : {Shape{1, 0}, Shape{2, 1}, Shape{600, 0}})
      for (const std::size_t rows : {1, 2, 3, 0}) kinds.push_back({disk, shape, rows});
  return kinds;
}

inline std::string name_of(const StoreKind& kind) {
  return name_of(kind.disk) + "Words" + std::to_string(kind.shape.words()) + "Rows" +
         std::to_string(kind.rows_per_block);
}

class TestStore {
 public:
  explicit TestStore(const StoreKind& kind, std::uint64_t seed = 1)
      : disk(kind.disk), store(*disk, budget, kind.shape, options(kind)), random(seed) {}

  Row row(Word bound) {
    Row made(store.shape().words());
    for (Word& word : made) word = random() % bound;
    return made;
  }

  Budget budget{std::uint64_t{64} << 20};
  TestDisk disk;
  Store store;
  std::mt19937_64 random;

 private:
  static Store::Options options(const StoreKind& kind) {
    Store::Options made;
    made.block_bytes = kSector;
    made.rows_per_block = kind.rows_per_block;
    made.behind = {1 + kind.rows_per_block % 2, 1 + kind.rows_per_block % 3};
    made.ahead = {1 + kind.rows_per_block % 3, 1 + kind.rows_per_block % 2};
    made.partitions = 3;
    made.table_bytes = 4096;
    return made;
  }
};

inline Row copy_of(State state) { return {state.begin(), state.end()}; }

}  // namespace spillway
