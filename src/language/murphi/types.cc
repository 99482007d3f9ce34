#include "language/murphi/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "language/source.h"

namespace spillway::murphi {
namespace {

constexpr std::uint64_t kSaturated = std::uint64_t{1} << 62;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kSaturated : std::min(result, kSaturated);
}
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kSaturated); }

std::uint64_t width(const program::Interval& interval) {
  return static_cast<std::uint64_t>(interval.high) - static_cast<std::uint64_t>(interval.low) + 1;
}

std::uint64_t values(const Type& scalar) {
  std::uint64_t count = 0;
  for (const program::Interval& interval : scalar.domain.intervals())
    count = sum(count, width(interval));
  return count;
}

Extent scalar_extent(const Type& type) {
  return {1, static_cast<std::uint64_t>(std::bit_width(values(type))), 1};
}

}  // namespace

Sort sort(const Type* type) {
  if (type == nullptr) return Sort::number;
  switch (type->kind) {
    case program::Kind::record: return Sort::record;
    case program::Kind::array: return Sort::array;
    case program::Kind::bag: return Sort::bag;
    case program::Kind::scalar: break;
  }
  if (type->truth) return Sort::truth;
  return type->names.empty() ? Sort::number : Sort::symbol;
}

Types::Types(program::Program& program) : program_(program) {
  Type& truth = add(program::Kind::scalar);
  truth.name = "boolean";
  truth.truth = true;
  truth.domain = program::Domain({{0, 1}});
  truth.names = {{{0, 1}, {"false", "true"}, {}}};
  truth_ = finish(truth, scalar_extent(truth));
}

Type& Types::add(program::Kind kind) {
  Type& type = program_.types.emplace_back();
  type.kind = kind;
  numbers_[&type] = program_.types.size() - 1;
  return type;
}

const Type* Types::finish(const Type& type, Extent extent) {
  extents_[&type] = extent;
  return &type;
}

const Type* Types::range(Value low, Value high) {
  Type& type = add(program::Kind::scalar);
  type.domain = program::Domain({{low, high}});
  return finish(type, scalar_extent(type));
}

const Type* Types::enumeration(std::vector<std::string> names, Value& first,
                               std::vector<std::uint32_t> lines) {
  first = next_;
  next_ += static_cast<Value>(names.size());
  Type& type = add(program::Kind::scalar);
  type.domain = program::Domain({{first, next_ - 1}});
  type.names.push_back({{first, next_ - 1}, std::move(names), std::move(lines)});
  return finish(type, scalar_extent(type));
}

const Type* Types::scalarset(const std::string& name, Value size) {
  std::vector<std::string> names;
  const std::string stem = name.empty() ? "Scalarset" : name;
  for (Value i = 1; i <= size; ++i) names.push_back(fmt::format("{}_{}", stem, i));
  Value first = 0;
  const Type* type = enumeration(std::move(names), first);
  program_.symmetries.push_back({stem, {first, first + size - 1}});
  scalarsets_[type] = true;
  unchecked_.insert(type);
  return type;
}

const Type* Types::union_of(const std::vector<const Type*>& members) {
  std::vector<program::Interval> intervals;
  Type& type = add(program::Kind::scalar);
  for (const Type* member : members) {
    if (has_scalarset(member)) scalarsets_[&type] = true;
    for (const program::Names& part : member->names) {
      if (std::find(intervals.begin(), intervals.end(), part.interval) != intervals.end()) continue;
      intervals.push_back(part.interval);
      type.names.push_back(part);
    }
  }
  type.domain = program::Domain(std::move(intervals));
  unchecked_.insert(&type);
  return finish(type, scalar_extent(type));
}

const Type* Types::record(std::vector<program::Field> fields) {
  Type& type = add(program::Kind::record);
  type.fields = std::move(fields);
  Extent whole;
  for (const program::Field& field : type.fields) {
    const Extent part = extent(field.type);
    whole = {sum(whole.cells, part.cells), sum(whole.bits, part.bits),
             std::max(whole.depth, part.depth + 1)};
    if (has_scalarset(field.type)) scalarsets_[&type] = true;
  }
  return finish(type, whole);
}

const Type* Types::array(const Type* index, const Type* element) {
  Type& type = add(program::Kind::array);
  type.index = index;
  type.element = element;
  const Extent part = extent(element);
  const std::uint64_t count = values(*index);
  if (has_scalarset(element)) scalarsets_[&type] = true;
  return finish(type, {product(count, part.cells), product(count, part.bits), part.depth + 1});
}

const Type* Types::bag(std::uint64_t capacity, const Type* element) {
  Type& type = add(program::Kind::bag);
  type.capacity = capacity;
  type.element = element;
  const Extent part = extent(element);
  if (has_scalarset(element)) scalarsets_[&type] = true;
  return finish(
      type, {product(capacity, part.cells + 1), product(capacity, part.bits + 1), part.depth + 1});
}

void Types::name(const Type* type, const std::string& name) {
  Type& own = program_.types[numbers_.at(type)];
  if (own.name.empty()) own.name = name;
}

Extent Types::extent(const Type* type) const { return extents_.at(type); }

bool Types::has_scalarset(const Type* type) const { return scalarsets_.contains(type); }

bool Types::compatible(const Type* a, const Type* b) {
  if (a == b) return true;
  const Sort sorts = sort(a);
  if (sorts != sort(b)) return false;
  if (sorts == Sort::number || sorts == Sort::truth) return true;
  if (sorts != Sort::symbol) return same(a, b);
  return std::any_of(a->names.begin(), a->names.end(), [&](const program::Names& mine) {
    return std::any_of(b->names.begin(), b->names.end(), [&](const program::Names& other) {
      return mine.interval == other.interval;
    });
  });
}

bool Types::same(const Type* a, const Type* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || sort(a) != sort(b)) return false;
  if (a->is_scalar()) return a->domain.intervals() == b->domain.intervals();
  const auto [known, fresh] = same_.try_emplace({a, b}, false);
  if (!fresh) return known->second;
  bool result = false;
  switch (a->kind) {
    case program::Kind::array:
      result = same(a->index, b->index) && same(a->element, b->element);
      break;
    case program::Kind::bag:
      result = a->capacity == b->capacity && same(a->element, b->element);
      break;
    default:
      result = std::equal(a->fields.begin(), a->fields.end(), b->fields.begin(), b->fields.end(),
                          [&](const program::Field& x, const program::Field& y) {
                            return x.name == y.name && same(x.type, y.type);
                          });
      break;
  }
  return same_[{a, b}] = result;
}

std::string Types::shown(const Type* type) const {
  if (type == nullptr) return "a number";
  if (type->truth) return "a boolean";
  if (!type->name.empty()) return fmt::format("a value of type {}", quoted(type->name));
  switch (sort(type)) {
    case Sort::number: return "a number";
    case Sort::symbol:
      return scalarsets_.contains(type) ? "a scalarset value" : "an enumeration value";
    case Sort::record: return "a record";
    case Sort::array: return "an array";
    default: return "a multiset";
  }
}

}  // namespace spillway::murphi
