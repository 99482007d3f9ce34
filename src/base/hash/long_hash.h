// A hash of long rows for tables in memory.  Like place_hash() it is private to a search and may
// change.  It is the same on all machines.
//
// place_hash() waits for each word before it can begin with the next: a row of 21 words takes as
// long as two lines from memory.  Here a key is added to each word, neighbours are multiplied, and
// the products are added, none of them waiting for another (NH, of UMAC).  With random keys two
// rows have the same sum with a probability of 2^-64.  Ours are fixed, so rows that collide can be
// made up; then they are compared, which takes time and nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/hash/hash.h"
#include "base/state.h"

namespace spillway {

// One for each word of a block.  Without a pattern: between keys at equal distances, changes of
// several words could cancel.
inline constexpr std::array<std::uint64_t, 32> kHashKeys = [] {
  std::array<std::uint64_t, 32> keys{};
  std::uint64_t seed = 0;
  for (std::uint64_t& key : keys) {
    std::uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    key = x ^ x >> 31;
  }
  return keys;
}();

// REQUIRES: words <= kHashKeys.size().
inline Wide sum_of_products(const Word* row, std::size_t words) {
  Wide sum = 0;
  std::size_t i = 0;
  for (; i + 1 < words; i += 2)
    sum += static_cast<Wide>(row[i] + kHashKeys[i]) * (row[i + 1] + kHashKeys[i + 1]);
  if (i < words) sum += static_cast<Wide>(row[i] + kHashKeys[i]) * kHashKeys[i + 1];
  return sum;
}

// Spread over all 64 bits.  Blocks wait for each other.
inline std::uint64_t long_hash(const Word* row, std::size_t words) {
  const auto folded = [](Wide sum) {
    return scatter(static_cast<std::uint64_t>(sum) +
                   static_cast<std::uint64_t>(sum >> 64) * 0xa0761d6478bd642fu);
  };
  std::uint64_t hash = 0;
  for (; words > kHashKeys.size(); words -= kHashKeys.size(), row += kHashKeys.size())
    hash = folded(sum_of_products(row, kHashKeys.size()) + hash);
  return folded(sum_of_products(row, words) + hash);
}

}  // namespace spillway
