// A part of the states of a partition, for what does not fit into memory at once.
#pragma once

#include <cstddef>

#include "base/hash/row_hash.h"
#include "base/state.h"

namespace spillway {

struct Share {
  std::size_t part = 0;
  std::size_t of = 1;  // a power of two

  // Not by the hashes that choose partitions and places in tables: those of a partition are alike.
  bool has(State key) const { return of == 1 || row_hash(key, HashUse::share) % of == part; }
  Share first_half() const { return {part, 2 * of}; }
  Share second_half() const { return {part + of, 2 * of}; }
};

}  // namespace spillway
