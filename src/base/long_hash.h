// A hash of long rows for tables in memory.  Like place_hash() it is private to a search and may
// change.
//
// place_hash() waits for each word before it can begin with the next: a row of 21 words takes as
// long as two lines from memory.  Here every fourth word depends on the one before.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/hash.h"

namespace spillway {

// Spread over all 64 bits.  The same as place_hash() for rows of up to four words.
inline std::uint64_t long_hash(const Word* row, std::size_t words) {
  if (words <= 4) return place_hash(row, words);
  std::uint64_t a = scatter(row[0]);
  std::uint64_t b = scatter(row[1]);
  std::uint64_t c = scatter(row[2]);
  std::uint64_t d = scatter(row[3]);
  std::size_t i = 4;
  for (; i + 4 <= words; i += 4) {
    a = scatter(a + row[i]);
    b = scatter(b + row[i + 1]);
    c = scatter(c + row[i + 2]);
    d = scatter(d + row[i + 3]);
  }
  if (i < words) a = scatter(a + row[i]);
  if (i + 1 < words) b = scatter(b + row[i + 1]);
  if (i + 2 < words) c = scatter(c + row[i + 2]);
  // Turned, so that it matters in which of the four a word is.
  return scatter(a + std::rotl(b, 16) + std::rotl(c, 32) + std::rotl(d, 48));
}

}  // namespace spillway
