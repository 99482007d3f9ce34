// Searches for rows among others that are stored as planes, one for each word, so that several rows
// are compared at a time.
#pragma once

#include <cstddef>

#include "base/process/vector_level.h"
#include "base/state.h"

namespace spillway {

inline constexpr std::size_t kLanes = 8;
// Distance between the planes of `rows` rows.
constexpr std::size_t plane_words(std::size_t rows) { return (rows / kLanes + 1) * kLanes; }

// The others: word w of row i is at words[w * distance + i].  REQUIRES: if count is no multiple of
// kLanes, copies of some of the rows fill the last lanes.
struct RowPlanes {
  const Word* words;
  std::size_t distance;
  std::size_t count;
};

// Copies those of the rows [row, end) that are not among `others` to `out`, and returns the end of
// the copy.  `out` may be `row`; it needs room for all rows.
using CopyMissing = Word* (*)(const Word* row, const Word* end, const RowPlanes& others, Word* out);

// Its form for rows of W words, W = 1 to 4.  All forms do the same.  REQUIRES: level <=
// processor_level().
template <std::size_t W>
CopyMissing copy_missing_for(VectorLevel level);

}  // namespace spillway
