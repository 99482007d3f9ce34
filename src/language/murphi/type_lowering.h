// Types, and the constants that they depend on.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "language/murphi/scope.h"

namespace spillway::murphi {

class TypeLowering : protected Scope {
 protected:
  using Scope::Scope;
  virtual ~TypeLowering() = default;

  const Type* resolve(const TypeNode& node, const std::string& name);
  // The same type each time for a node.
  const Type* resolve_counted(const TypeNode& node);
  std::size_t field(const Type* record, const Name& name);
  // The value of an expression that is the same in every state.
  virtual std::pair<Value, const Type*> constant(const Expression& expression,
                                                 const char* what) = 0;
  Value constant_number(const Expression& expression, const char* what);
  // Types of nodes of other trees, which may be gone, are not used again.
  void forget_nodes() { counted_types_.clear(); }

 private:
  const Type* resolve_unlimited(const TypeNode& node, const std::string& name);
  const Type* resolve_name(const TypeNode& node);
  const Type* resolve_range(const TypeNode& node);
  const Type* resolve_enumeration(const TypeNode& node);
  const Type* resolve_scalarset(const TypeNode& node, const std::string& name);
  const Type* resolve_record(const TypeNode& node);
  const Type* resolve_array(const TypeNode& node);
  const Type* resolve_union(const TypeNode& node);
  const Type* resolve_multiset(const TypeNode& node);
  void declare_values(const TypeNode& node, const Type* type);

  std::unordered_map<const TypeNode*, const Type*> counted_types_;
  std::unordered_map<const Type*, std::unordered_map<std::string_view, std::size_t>> fields_;
};

}  // namespace spillway::murphi
