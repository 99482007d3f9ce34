// Expressions, and the places and states that they name.
#pragma once

#include <string>
#include <vector>

#include "language/dve/scope.h"

namespace spillway::dve {

class ExpressionLowering : protected Scope {
 protected:
  using Scope::Scope;

  ExprPtr lower(const Expression& expression);
  ExprPtr lower_truth(const Expression& expression) { return truth(lower(expression)); }
  ExprPtr number(Value value, Position position) const;
  // A call of a function with one argument or none.
  ExprPtr call(program::FunctionIndex function, ExprPtr argument, Position position) const;
  // The value, truncated to the bits of the type, always or if the options say so.
  ExprPtr cut(ExprPtr value, const Type& type) const;
  ExprPtr fitted(ExprPtr value, const Type& type) const;
  static std::string does_not_fit(Value value, const Name& name, const Type& type);
  // Notes names that do not exist, in an expression that is not lowered because of an error.
  void examine_names(const Expression& expression);

  // lower_places.cc
  Place place(std::uint32_t variable, Position position) const;
  Place element(Place base, ExprPtr index) const;
  Place field(Place base, std::size_t number) const;
  Place target(const Expression& expression, const Symbol** symbol);
  Process& process(const Name& name);
  Value state(const Process& process, const Name& name);
  ExprPtr is_at(const Process& process, Value state, Position position) const;
  ExprPtr is_at_one(const Process& process, const std::vector<Value>& states,
                    Position position) const;
  static void assign(Place to, ExprPtr value, Position position, Body& out);
  void set_to_zero(Place what, Frame& frame, Body& out);

 private:
  ExprPtr lower_variable(const Expression& expression);
  ExprPtr lower_state(const Expression& expression);
  ExprPtr lower_chain(const Expression& expression, Op op, bool logical);
  std::uint32_t look_up_function(const Symbol& symbol);
  ExprPtr truth(ExprPtr expr) const;
  ExprPtr right_truth(ExprPtr expr) const;
  bool fits(const Expr& value, const Type& type) const;

  // lower_places.cc
  Symbol& symbol(const Expression& expression);
  ExprPtr index_of(const Expression& expression, const Symbol& symbol);
  static bool begins_with_zero(const Type& type);
};

}  // namespace spillway::dve
