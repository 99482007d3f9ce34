// Brings each bag into one form that does not depend on the order in which elements were added.
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

// All bags of the state; inner ones come before the bags that contain them.
std::vector<PackedBag> packed_bags(const Program& program);

// Sorts the slots of each bag in descending order.  Slots are compared 64 bits at a time, from the
// lowest bits up.  Empty slots are therefore last.
void sort_bags(const std::vector<PackedBag>& bags, Word* row);

}  // namespace spillway::program
