#include "language/dve/scope.h"

#include <algorithm>
#include <bit>

#include "language/build.h"

namespace spillway::dve {
namespace {

constexpr const char* kErrorState = "error";

}  // namespace

Scope::Scope(Source& source, const DveOptions& options, ReadProgram& out)
    : LoweringScope(source, out, "transitions that happen together have too many combinations"),
      options_(options) {
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

const program::Type* Scope::numbers(Value low, Value high) {
  const Type*& known = numbers_[{low, high}];
  if (known == nullptr) {
    Type& type = program_.types.emplace_back();
    type.domain = program::Domain({{low, high}});
    type.total = true;
    known = &type;
  }
  return known;
}

const program::Type* Scope::array(Value size, const Type* element) {
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

const program::Type* Scope::record(std::vector<program::Field> fields) {
  Type& type = program_.types.emplace_back();
  type.kind = program::Kind::record;
  type.fields = std::move(fields);
  return &type;
}

const program::Type* Scope::queue(std::vector<program::Field> fields) {
  const Type* const type = record(std::move(fields));
  program_.types.back().is_queue = true;
  return type;
}

// The error state of the system is an extra state of the first process.
const program::Type* Scope::states_of(const ProcessNode& node, bool with_error) {
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

std::uint64_t Scope::bits(const Type& type) {
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

std::uint32_t Scope::add_variable(std::string name, const Type* type, Position position) {
  return LoweringScope::add_variable(std::move(name), type, bits(*type), cells(*type), position);
}

bool Scope::Process::is_committed(Value state) const {
  return std::find(committed.begin(), committed.end(), state) != committed.end();
}

program::ExprPtr Scope::again(const Expr& expr) {
  expand(weight(expr), expr.position);
  return copy(expr);
}

program::Place Scope::again(const Place& place) {
  expand(weight(place), place.position);
  return copy(place);
}

std::vector<program::Place> Scope::again_all(const std::vector<Place>& places) {
  std::vector<Place> all;
  for (const Place& place : places) all.push_back(again(place));
  return all;
}

void Scope::refuse_name(const Name& name, std::string_view owner, std::string why) {
  if (doubtful_->contains(name.text)) throw Spoiled();
  if (!unknown_.emplace(owner, name.text).second) throw Spoiled();
  refuse(name.position, std::move(why));
}

}  // namespace spillway::dve
