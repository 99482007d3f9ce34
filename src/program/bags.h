// One form for each bag, whatever the order in which its elements came.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state.h"
#include "program/program.h"

namespace spillway::program {

// A bag in a packed row: `capacity` slots of `slot_bits` bits, each a mark and an element.
struct PackedBag {
  std::uint64_t bit;
  std::uint64_t slot_bits;
  std::uint64_t capacity;
};

// All bags of the state, those inside others first.
std::vector<PackedBag> packed_bags(const Program& program);

// Sorts the slots of each bag: as numbers of 64 bits from the lowest bits up, the first difference
// decides, the larger first.  So empty slots are last.
void sort_bags(const std::vector<PackedBag>& bags, Word* row);

}  // namespace spillway::program
