// The types of a Murphi model, and which of them are compatible.
//
// Each enumeration and scalarset has its own integers as values, so that a union type is the union
// of their domains.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "language/limits.h"
#include "program/program.h"

namespace spillway::murphi {

using program::Type;
using program::Value;

enum class Sort { number, truth, symbol, record, array, bag };

// nullptr is a number without bounds.
Sort sort(const Type* type);
inline bool is_scalar(const Type* type) { return type == nullptr || type->is_scalar(); }

// The size of a value.  The numbers saturate far above every limit.
struct Extent {
  std::uint64_t cells = 0;
  std::uint64_t bits = 0;
  std::uint32_t depth = 1;
};

inline constexpr std::uint32_t kDeepestType = 64;
inline constexpr Value kMostIdentities = 1 << 16;

class Types {
 public:
  explicit Types(program::Program& program);

  const Type* truth() const { return truth_; }
  const Type* range(Value low, Value high);
  // Sets `first` to the integer of its first value.
  const Type* enumeration(std::vector<std::string> names, Value& first,
                          std::vector<std::uint32_t> lines = {});
  const Type* scalarset(const std::string& name, Value size);
  const Type* union_of(const std::vector<const Type*>& members);
  const Type* record(std::vector<program::Field> fields);
  const Type* array(const Type* index, const Type* element);
  const Type* bag(std::uint64_t capacity, const Type* element);
  // Names a type that has no name yet.
  void name(const Type* type, const std::string& name);

  Extent extent(const Type* type) const;

  // True if scalars can be compared, and assigned if the value is in the domain; for other types,
  // if they have the same structure.
  bool compatible(const Type* a, const Type* b);
  // True if the types have the same values and the same structure.
  bool same(const Type* a, const Type* b);
  bool has_scalarset(const Type* type) const;
  // Whether it is a scalarset or union, whose values CMurphi does not check.
  bool is_unchecked(const Type* type) const { return unchecked_.contains(type); }

  // How a message describes a value of the type.
  std::string shown(const Type* type) const;

 private:
  Type& add(program::Kind kind);
  const Type* finish(const Type& type, Extent extent);

  program::Program& program_;
  const Type* truth_;
  Value next_ = 0;  // the first integer that no symbol has
  std::unordered_map<const Type*, Extent> extents_;
  std::unordered_map<const Type*, std::size_t> numbers_;      // of types in program_.types
  std::map<std::pair<const Type*, const Type*>, bool> same_;  // pairs of records, arrays and bags
  std::unordered_map<const Type*, bool> scalarsets_;          // types with scalarsets inside
  std::unordered_set<const Type*> unchecked_;
};

}  // namespace spillway::murphi
