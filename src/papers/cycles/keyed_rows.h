// Rows with keys, given back in the order of keys: a priority queue in two phases, for more rows
// than fit into memory.  One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/memory/budget.h"
#include "base/state.h"
#include "io/data/disk.h"

namespace spillway {

class KeyedRows {
 public:
  virtual ~KeyedRows() = default;

  // The same row with the same key counts once.
  virtual void add(std::uint64_t key, State row) = 0;

  // After the last add(): the key of the next row; std::nullopt at the end.
  virtual std::optional<std::uint64_t> key() = 0;
  // That row, valid until the next call.  REQUIRES: there is one.
  virtual State take() = 0;

  // Forgets all rows; others can be added.
  virtual void clear() = 0;
};

// `room`: for so many rows in memory at a time, at least one.  Throws Error(usage) or Error(memory)
// if the budget refuses.  REQUIRES: budget and disk outlive it.
std::unique_ptr<KeyedRows> make_keyed_rows(Budget& budget, Disk& disk, std::size_t words,
                                           std::size_t room);
// What a row takes in memory.
std::uint64_t keyed_row_bytes(std::size_t words);

}  // namespace spillway
