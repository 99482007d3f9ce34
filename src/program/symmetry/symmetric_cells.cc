#include "program/symmetry/symmetric_cells.h"

#include <algorithm>

#include "program/symmetry/colour_hash.h"

namespace spillway::program {
namespace {

// Numbers and truth values may lie in the same interval as identities, but have no names of their
// own.
bool has_names(const Type& type, const Interval& interval) {
  return !type.truth && std::any_of(type.names.begin(), type.names.end(),
                                    [&](const Names& names) { return names.interval == interval; });
}

}  // namespace

SymmetricCells::SymmetricCells(const Program& program)
    : layout_(program), bags_(packed_bags(program)) {
  for (const Symmetry& symmetry : program.symmetries) {
    const Interval all = symmetry.identities;
    const auto size = static_cast<std::uint32_t>(all.high - all.low + 1);
    if (size < 2) continue;
    groups_.push_back({identities_, size});
    intervals_.push_back(all);
    identities_ += size;
  }
  std::vector<Coordinate> way;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    add(*program.variables[i].type, mix(kField, i), way);
}

std::int64_t SymmetricCells::identity_of(const Type& type, Value value) const {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (intervals_[g].low <= value && value <= intervals_[g].high && has_names(type, intervals_[g]))
      return groups_[g].first + (value - intervals_[g].low);
  return -1;
}

// `type` is nullptr for the mark of a slot.
void SymmetricCells::add_cell(const Type* type, std::uint64_t hash,
                              const std::vector<Coordinate>& way) {
  const Layout::Cell& place = layout_.cells()[cells_.size()];
  Cell cell{place.bit,
            place.width,
            place.total,
            hash,
            static_cast<std::uint32_t>(coordinates_.size()),
            0,
            static_cast<std::uint32_t>(parts_.size()),
            0};
  coordinates_.insert(coordinates_.end(), way.begin(), way.end());
  std::uint64_t code = 1;
  if (type != nullptr)
    for (const Interval& interval : type->domain.intervals()) {
      const auto size = static_cast<std::uint64_t>(interval.high - interval.low) + 1;
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (intervals_[g] == interval && has_names(*type, interval))
          parts_.push_back({code, code + size - 1, groups_[g].first});
      code += size;
    }
  cell.end = static_cast<std::uint32_t>(coordinates_.size());
  cell.parts_end = static_cast<std::uint32_t>(parts_.size());
  if (type != nullptr && way.size() + (cell.parts_end > cell.parts ? 1U : 0U) > 1) related_ = true;
  cells_.push_back(cell);
}

void SymmetricCells::add(const Type& type, std::uint64_t hash, std::vector<Coordinate>& way) {
  switch (type.kind) {
    case Kind::scalar: add_cell(&type, hash, way); break;
    case Kind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        add(*type.fields[i].type, mix(hash, mix(kField, i)), way);
      break;
    case Kind::array:
      for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code) {
        const std::int64_t identity = identity_of(*type.index, type.index->domain.value(code));
        if (identity < 0) {
          add(*type.element, mix(hash, mix(kElement, code)), way);
          continue;
        }
        way.push_back({static_cast<std::uint32_t>(identity),
                       static_cast<std::int64_t>(program::cells(*type.element))});
        add(*type.element, mix(hash, kIndexed), way);
        way.pop_back();
      }
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        add_cell(nullptr, mix(hash, kSlot), way);
        add(*type.element, mix(hash, kSlot + 1), way);
      }
      break;
  }
}

}  // namespace spillway::program
