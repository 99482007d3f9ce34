#include <fmt/format.h>

#include <bit>

#include "language/dve/lowering.h"
#include "language/limits.h"

namespace spillway::dve {
namespace {

constexpr const char* kErrorState = "error";

}  // namespace

Lowering::Lowering(Source& source, const DveOptions& options, ReadModel& out)
    : source_(source), options_(options), out_(out), program_(out.program) {
  const auto add = [&](const char* name, Value low, Value high) {
    Type& type = program_.types.emplace_back();
    type.name = name;
    type.domain = program::Domain({{low, high}});
    type.total = true;
    return &type;
  };
  byte_ = add("byte", 0, 255);
  int_ = add("int", -32768, 32767);
  Type* truth = add("bool", 0, 1);
  truth->truth = true;
  truth_ = truth;
}

const program::Type* Lowering::numbers(Value low, Value high) {
  const Type*& known = numbers_[{low, high}];
  if (known == nullptr) {
    Type& type = program_.types.emplace_back();
    type.domain = program::Domain({{low, high}});
    type.total = true;
    known = &type;
  }
  return known;
}

const program::Type* Lowering::array(Value size, const Type* element) {
  const Type*& known = arrays_[{size, element}];
  if (known == nullptr) {
    const Type* index = numbers(0, size - 1);
    Type& type = program_.types.emplace_back();
    type.kind = program::Kind::array;
    type.index = index;
    type.element = element;
    known = &type;
  }
  return known;
}

const program::Type* Lowering::record(std::vector<program::Field> fields) {
  Type& type = program_.types.emplace_back();
  type.kind = program::Kind::record;
  type.fields = std::move(fields);
  return &type;
}

const program::Type* Lowering::queue(std::vector<program::Field> fields) {
  const Type* const type = record(std::move(fields));
  program_.types.back().is_queue = true;
  return type;
}

// The error state of the system is an extra state of the first process.
const program::Type* Lowering::states_of(const ProcessNode& node, bool with_error) {
  std::vector<std::string> names;
  for (const Name& state : node.states) names.push_back(state.text);
  if (with_error) names.emplace_back(kErrorState);
  const program::Interval all{0, static_cast<Value>(names.size()) - 1};
  Type& type = program_.types.emplace_back();
  type.domain = program::Domain({all});
  type.names.push_back({all, std::move(names), {}});
  type.total = true;
  return &type;
}

std::uint64_t Lowering::bits(const Type& type) {
  switch (type.kind) {
    case program::Kind::array: return type.index->domain.size() * bits(*type.element);
    case program::Kind::record: {
      std::uint64_t sum = 0;
      for (const program::Field& field : type.fields) sum += bits(*field.type);
      return sum;
    }
    default: return static_cast<std::uint64_t>(std::bit_width(type.domain.size() - 1));
  }
}

std::uint32_t Lowering::add_variable(std::string name, const Type* type, Position position) {
  state_bits_ += bits(*type);
  state_cells_ += cells(*type);
  if (state_bits_ > kMostStateBits || state_cells_ > kMostCells)
    source_.give_up(
        position,
        fmt::format(
            "with this variable, a state has {} bits and {} scalars; the limit is {} bits and {} "
            "scalars",
            state_bits_, state_cells_, kMostStateBits, kMostCells));
  program_.variables.push_back({std::move(name), type, position});
  return static_cast<std::uint32_t>(program_.variables.size() - 1);
}

}  // namespace spillway::dve
