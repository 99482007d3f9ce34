// The resources of all storage of a search: a disk, a memory budget and the shape of its rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/memory/budget.h"
#include "base/state.h"
#include "io/data/disk.h"
#include "papers/storage/partition.h"
#include "storage/blocks/block_reader.h"
#include "storage/blocks/block_writer.h"

namespace spillway {

// Key words identify the state; note words are carried along (a parent, a depth, ...).
struct Shape {
  std::size_t key = 1;
  std::size_t note = 0;

  std::size_t words() const { return key + note; }
  std::size_t bytes() const { return words() * sizeof(Word); }
};

class Store {
 public:
  struct Options {
    std::size_t block_bytes = std::size_t{256} << 10;  // larger if a row needs it
    std::size_t rows_per_block = 0;                    // at most; 0: as many as fit. Tests use 1
    Behind behind = {2, 1};                            // for each file and queue
    Ahead ahead = {2, 1};                              // for each scan and queue
    std::uint64_t table_bytes = 0;                     // per table; 0: a quarter of the budget
    std::size_t partitions = 16;
    std::uint64_t run_id = 0;     // 0: random
    std::string_view label = "";  // prefix of file names if stores share a disk; outlives the store
  };

  Store(Disk& disk, Budget& budget, Shape shape) : Store(disk, budget, shape, Options()) {}
  Store(Disk& disk, Budget& budget, Shape shape, const Options& options);

  Disk& disk() { return disk_; }
  Budget& budget() { return budget_; }
  const Shape& shape() const { return shape_; }
  const Options& options() const { return options_; }
  Partition& partition() { return partition_; }

  // A format for blocks of rows, with a new file_id.  Any thread.
  BlockFormat new_format();
  std::uint64_t new_file_id() { return ++last_id_; }
  // "purpose-17".  Any thread.
  std::string new_name(std::string_view purpose);

 private:
  Disk& disk_;
  Budget& budget_;
  const Shape shape_;
  Options options_;
  Partition partition_;
  std::atomic<std::uint64_t> last_id_{0};
};

}  // namespace spillway
