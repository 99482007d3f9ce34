// The sum by which what was written to a stream is compared with what is read from it.
//
// Rows are hashed and added, so the order does not matter, and a row that is lost, read twice or changed
// changes the sum.  It covers the way from append() to the block and back, which the checksums of blocks do not.
#pragma once

#include <cstdint>

#include "base/state.h"

namespace spillway {

class RowSum {
 public:
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;

  void add(const Word* row, std::size_t words) {
    ++rows;
    sum += hash(row, words);
  }
  void add(States many, std::size_t words) {
    std::uint64_t more = 0;
    const Word* row = many.data();
    if (words == 1)  // the loop that can be vectorised
      for (std::size_t i = 0; i < many.size(); ++i) more += hash(row + i, 1);
    else
      for (std::size_t i = 0; i < many.size(); ++i) more += hash(row + i * words, words);
    rows += many.size();
    sum += more;
  }
  bool operator==(const RowSum&) const = default;

 private:
  // Words are multiplied by numbers that differ from place to place; no product waits for another one.
  static std::uint64_t hash(const Word* row, std::size_t words) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    std::uint64_t h = 0xd6e8feb86659fd93u;
    std::uint64_t factor = kOdd;
    for (std::size_t i = 0; i < words; ++i, factor += 2 * kOdd) h += row[i] * factor;
    return h ^ h >> 32;
  }
};

}  // namespace spillway
