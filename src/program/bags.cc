#include "program/bags.h"

#include <algorithm>

#include "program/layout.h"

namespace spillway::program {
namespace {

void find(const Type& type, std::uint64_t bit, std::vector<PackedBag>& out) {
  switch (type.kind) {
    case Kind::scalar: break;
    case Kind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        find(*type.fields[i].type, bit + field_bit(type, i), out);
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
        find(*type.element, bit + element_bit(type, i), out);
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i)
        find(*type.element, bit + element_bit(type, i), out);
      out.push_back({bit, 1 + bits_of(*type.element), type.capacity});
      break;
  }
}

}  // namespace

std::vector<PackedBag> packed_bags(const Program& program) {
  std::vector<PackedBag> all;
  const Layout layout(program);
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    find(*program.variables[v].type, layout.variable_bit(v), all);
  return all;
}

void sort_bags(const std::vector<PackedBag>& bags, Word* row) {
  for (const PackedBag& bag : bags) {
    std::vector<std::vector<std::uint64_t>> slots(bag.capacity);
    const auto width = [&](std::uint64_t from) {
      return static_cast<unsigned>(std::min<std::uint64_t>(64, bag.slot_bits - from));
    };
    for (std::uint64_t i = 0; i < bag.capacity; ++i)
      for (std::uint64_t from = 0; from < bag.slot_bits; from += 64)
        slots[i].push_back(read_bits(row, bag.bit + i * bag.slot_bits + from, width(from)));
    std::sort(slots.begin(), slots.end(), std::greater<>());
    for (std::uint64_t i = 0; i < bag.capacity; ++i)
      for (std::uint64_t from = 0; from < bag.slot_bits; from += 64)
        write_bits(row, bag.bit + i * bag.slot_bits + from, width(from), slots[i][from / 64]);
  }
}

}  // namespace spillway::program
