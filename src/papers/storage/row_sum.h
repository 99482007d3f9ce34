// A checksum of a stream of rows, to compare what was written with what is read.
//
// The hashes of the rows are added, so the order does not matter, and a row that is lost, read
// twice or changed changes the sum.  It covers the way from append() to the block and back, which
// the checksums of blocks do not.
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
    rows += many.size();
    switch (words) {  // short rows of known length give loops that can be vectorized
      case 1: sum += hashes<1>(many, 1); break;
      case 2: sum += hashes<2>(many, 2); break;
      case 3: sum += hashes<3>(many, 3); break;
      case 4: sum += hashes<4>(many, 4); break;
      case 5: sum += hashes<5>(many, 5); break;
      default: sum += hashes<0>(many, words);
    }
  }
  bool operator==(const RowSum&) const = default;

 private:
  // Each word has its own factor; the multiplications are independent of each other.
  static std::uint64_t hash(const Word* row, std::size_t words) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    std::uint64_t h = 0xd6e8feb86659fd93u;
    std::uint64_t factor = kOdd;
    for (std::size_t i = 0; i < words; ++i, factor += 2 * kOdd) h += row[i] * factor;
    return h ^ h >> 32;
  }
  template <std::size_t Words>  // 0: not known
  static std::uint64_t hashes(States many, std::size_t words) {
    if constexpr (Words != 0) words = Words;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < many.size(); ++i) total += hash(many.data() + i * words, words);
    return total;
  }
};

}  // namespace spillway
