#include "program/type.h"

#include <algorithm>

#include "base/error.h"

namespace spillway::program {
namespace {

std::uint64_t size_of(const Interval& interval) {
  return static_cast<std::uint64_t>(interval.high) - static_cast<std::uint64_t>(interval.low) + 1;
}

}  // namespace

std::uint64_t Domain::size() const {
  std::uint64_t size = 0;
  for (const Interval& interval : intervals_) size += size_of(interval);
  return size;
}

std::uint64_t Domain::code(Value value) const {
  std::uint64_t before = 1;
  for (const Interval& interval : intervals_) {
    if (interval.low <= value && value <= interval.high)
      return before + static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(interval.low);
    before += size_of(interval);
  }
  return 0;
}

Value Domain::value(std::uint64_t code) const {
  std::uint64_t rest = code - 1;
  for (const Interval& interval : intervals_) {
    if (rest < size_of(interval))
      return static_cast<Value>(static_cast<std::uint64_t>(interval.low) + rest);
    rest -= size_of(interval);
  }
  throw Error(Fault::internal, "a value outside its domain is stored in a state");
}

Value Domain::lowest() const {
  Value lowest = intervals_.front().low;
  for (const Interval& interval : intervals_) lowest = std::min(lowest, interval.low);
  return lowest;
}

Value Domain::highest() const {
  Value highest = intervals_.front().high;
  for (const Interval& interval : intervals_) highest = std::max(highest, interval.high);
  return highest;
}

std::string Type::text(Value value) const {
  for (const Names& group : names)
    if (group.interval.low <= value && value <= group.interval.high)
      return group.names[static_cast<std::size_t>(value - group.interval.low)];
  return std::to_string(value);
}

std::uint64_t cells(const Type& type) {
  switch (type.kind) {
    case Kind::scalar: return 1;
    case Kind::record: {
      std::uint64_t sum = 0;
      for (const Field& field : type.fields) sum += cells(*field.type);
      return sum;
    }
    case Kind::array: return type.index->domain.size() * cells(*type.element);
    case Kind::bag: return type.capacity * (1 + cells(*type.element));
  }
  return 0;
}

std::uint64_t field_cell(const Type& record, std::size_t field) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < field; ++i) sum += cells(*record.fields[i].type);
  return sum;
}

std::uint64_t element_cell(const Type& array_or_bag, std::uint64_t number) {
  const std::uint64_t size = cells(*array_or_bag.element);
  return array_or_bag.kind == Kind::array ? number * size : number * (1 + size) + 1;
}

}  // namespace spillway::program
