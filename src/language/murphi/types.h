// The types of a Murphi model, and which of them go together.
//
// The values of each enumeration and scalarset get integers of their own, so that a union is the
// union of domains.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
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

// How much room a value takes.  Both saturate far above every limit.
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
  // With the integers of its values, which begin at `first`.
  const Type* enumeration(std::vector<std::string> names, Value& first);
  const Type* scalarset(const std::string& name, Value size);
  const Type* union_of(const std::vector<const Type*>& members);
  const Type* record(std::vector<program::Field> fields);
  const Type* array(const Type* index, const Type* element);
  const Type* bag(std::uint64_t capacity, const Type* element);
  // Gives a type that has no name yet a name.
  void name(const Type* type, const std::string& name);

  Extent extent(const Type* type) const;

  // Scalars: they can be compared, and assigned if the value is in the domain.  Others: they have
  // the same structure.
  bool compatible(const Type* a, const Type* b);
  // The same values, and the same structure.
  bool same(const Type* a, const Type* b);
  bool has_scalarset(const Type* type) const;

  // What a type is called in a message.
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
};

}  // namespace spillway::murphi
