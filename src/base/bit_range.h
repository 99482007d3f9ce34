// Neighbouring bits of a row.
#pragma once

#include <cstdint>

namespace spillway {

struct BitRange {
  std::uint64_t bit;  // the first one
  std::uint64_t width;
};

}  // namespace spillway
