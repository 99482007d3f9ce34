// Expressions, the places that they name, and calls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "language/murphi/type_lowering.h"

namespace spillway::murphi {

class ExpressionLowering : protected TypeLowering {
 protected:
  using TypeLowering::TypeLowering;

  // A place and the symbol at its root.
  struct Location {
    Place place;
    Symbol* symbol;
  };

  ExprPtr lower(const Expression& expression);
  ExprPtr lower_any(const Expression& expression);  // including records and arrays
  ExprPtr lower_truth(const Expression& expression, const char* what);
  // As lower_truth(), or any condition if there is an error.
  ExprPtr condition(const Expression& expression, const char* what);
  ExprPtr lower_call(const Expression& expression, bool result_needed);
  // Declares the counter in the innermost scope.
  SlotIndex lower_quantifier(const Quantifier& quantifier, program::Range& range);
  std::pair<Value, const Type*> constant(const Expression& expression, const char* what) override;
  const Type* type_of(const Expr& expr) const;
  // The value is used where CMurphi does not check those of scalarsets and unions.
  void leave_unchecked(Expr& value) const;
  std::string shown(const Expr& expr) const { return types_.shown(type_of(expr)); }

  // lower_places.cc
  std::optional<Location> location(const Expression& expression);
  Location writable(const Expression& expression, const char* what);  // notes that it is written
  Location bag_of(const Expression& expression, bool written);
  ExprPtr bag_index(const Expression& expression);

  // lower_wrong.cc
  // Notes names that are not declared, in what is not lowered because of an error.
  void examine_names(const Expression& expression);
  void examine_names(const TypeNode& node);
  void examine_names(const Quantifier& quantifier);  // declares it

 private:
  ExprPtr lower_number(const Expression& expression, const char* what);
  ExprPtr lower_name(const Expression& expression);
  ExprPtr lower_arithmetic(const Expression& expression, Op op);
  ExprPtr lower_chain(const Expression& expression);
  ExprPtr lower_conditional(const Expression& expression);
  ExprPtr lower_quantified(const Expression& expression);
  ExprPtr lower_is_undefined(const Expression& expression);
  ExprPtr lower_is_member(const Expression& expression);
  ExprPtr lower_multiset_count(const Expression& expression);
  void check_steps(const Quantifier& quantifier, const program::Range& range) const;

  // lower_comparisons.cc
  ExprPtr lower_comparison(const Expression& expression);
  ExprPtr compare_whole(const Expression& expression, ExprPtr left, ExprPtr right);
  ExprPtr call_comparison(ExprPtr left, ExprPtr right, Position position);
  program::FunctionIndex comparison(const Type* left, const Type* right, Position position);
  ExprPtr compare_parts(Place left, Place right, Position position);
  ExprPtr compare_simple_parts(const Place& left, const Place& right, Position position);

  // lower_places.cc
  Location place_of(const Expression& expression, const char* what);
  Location changeable(const Expression& expression, const char* what);
  void step_into_field(Location& base, const Expression& expression);
  void step_into_element(Location& base, const Expression& expression);
  std::string about_quantifiers(const Type* index) const;
  void note_write(const Location& location, Position position);

  // lower_calls.cc
  program::Argument lower_argument(const Expression& expression, std::uint32_t function,
                                   std::size_t number);
  Place nothing(const Type* type, Position position);
  void note_pass(const Location& location, std::uint32_t function, std::size_t number,
                 Position position);

  std::map<std::pair<const Type*, const Type*>, program::FunctionIndex> comparisons_;
  program::Frame no_frame_;  // of expressions outside of rules and functions
};

}  // namespace spillway::murphi
