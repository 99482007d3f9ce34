// The sum by which what was written to a stream is compared with what is read from it.
//
// Rows are hashed and added, so the order does not matter, and a row that is lost, read twice or changed
// changes the sum.  It covers the way from append() to the block and back, which the checksums of blocks do not.
#pragma once

#include <bit>
#include <cstdint>

#include "base/state.h"

namespace spillway {

struct RowSum {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;

  void add(const Word* row, std::size_t words) {
    std::uint64_t h = words;
    for (std::size_t i = 0; i < words; ++i) h = (h ^ std::rotl(h, 29) ^ row[i]) * 0x9e3779b97f4a7c15u;
    ++rows;
    sum += h ^ h >> 32;
  }
  bool operator==(const RowSum&) const = default;
};

}  // namespace spillway
