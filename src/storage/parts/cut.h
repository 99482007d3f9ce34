// Finds out how states are cut into parts, from the first states of a search.
//
// A part costs its bits in each row, and its values.  Beginning with the records of a model, two
// parts become one as long as that makes rows and values together smaller, for ten million states,
// with values that grow as the square root of the states.  A part of two has few values compared
// with the sample, though: others would go on growing (docs/design/parts.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bit_range.h"
#include "base/memory/budget.h"
#include "base/state.h"
#include "storage/parts/row_parts.h"

namespace spillway {

struct CutSettings {
  std::uint64_t states = 10'000'000;  // that are expected
  std::size_t least_gain = 3;         // so many times shorter, or it is not worth it
  std::size_t rare = 512;             // of a part of two: rows of the sample for each value
  std::size_t common =
      4;  // of any part: with fewer rows for each value, nothing is cut; 0: no matter
};

// `records`: bits that belong together; what is in none of them counts as one for each word.  The
// same sample gives the same parts.  std::nullopt: it is not worth it.  Throws Error(memory) if the
// budget refuses.
std::optional<RowParts> cut(States sample, std::size_t words, const std::vector<BitRange>& records,
                            Budget& budget, const CutSettings& settings = {});

}  // namespace spillway
