// Statements and aliases.
#pragma once

#include <string>
#include <vector>

#include "language/murphi/expression_lowering.h"

namespace spillway::murphi {

class StatementLowering : protected ExpressionLowering {
 protected:
  using ExpressionLowering::ExpressionLowering;

  void lower_statements(const Statements& statements, Body& out);
  // Adds the properties of cover statements, after all others.
  void add_cover_statements();

  using ExpressionLowering::examine_names;

  // lower_aliases.cc
  Symbol& declare_alias(const AliasNode& alias, bool& must_bind);
  void bind_symbol(Symbol& symbol, Body& out);
  void spoil(const AliasNode& alias);

 private:
  void lower_statement(const StatementNode& node, Body& out);
  void lower_assignment(const StatementNode& node, Body& out);
  void assign_whole(const Expression& value, const Place& target, Position position, Body& out);
  void lower_if(const StatementNode& node, Body& out);
  void lower_switch(const StatementNode& node, Body& out);
  ExprPtr lower_cases(const BranchNode& branch, const Expr& chosen, Position position);
  void lower_for(const StatementNode& node, Body& out);
  static bool is_search(const Body& body);
  program::StatementPtr as_quantifier(Statement loop);
  void lower_while(const StatementNode& node, Body& out);
  void lower_return(const StatementNode& node, Body& out);
  void lower_cover(const StatementNode& node, Body& out);
  // Returns the number of the new property.
  std::uint32_t add_property(program::PropertyKind kind, const std::string& name,
                             Position position);
  void lower_assert(const StatementNode& node, Body& out);
  void lower_multiset(const StatementNode& node, Body& out);
  void lower_alias(const StatementNode& node, Body& out);

  // lower_wrong.cc
  void examine_names(const StatementNode& node);   // without the statements inside
  void examine_switch(const StatementNode& node);  // whose value is wrong

  // Statements whose properties are added at the end.
  std::vector<program::Statement*> cover_statements_;
};

}  // namespace spillway::murphi
