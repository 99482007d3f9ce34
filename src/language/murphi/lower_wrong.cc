// Lowering of models with errors: finds more errors, and none that follow from others.
#include <fmt/format.h>

#include "language/build.h"
#include "language/murphi/statement_lowering.h"

namespace spillway::murphi {

program::ExprPtr ExpressionLowering::condition(const Expression& expression, const char* what) {
  ExprPtr result;
  if (attempt([&] { result = lower_truth(expression, what); })) return result;
  examine_names(expression);
  return literal(1, types_.truth(), expression.position);
}

void ExpressionLowering::examine_names(const Expression& expression) {
  const auto known = [&](const Name& name) { return scopes_.find(name.text) != nullptr; };
  const bool named = expression.form == Form::name || expression.form == Form::call;
  if (named && !known(expression.name) && !is_undefined_word(expression))
    note_unknown(expression.name);
  const bool declares = expression.quantifier != nullptr || expression.form == Form::multiset_count;
  if (declares) scopes_.push();
  if (expression.quantifier != nullptr) examine_names(*expression.quantifier);
  if (expression.form == Form::multiset_count) declare_wrong(expression.name);
  for (const ExpressionPtr& operand : expression.operands) examine_names(*operand);
  if (expression.type != nullptr) examine_names(*expression.type);
  if (declares) scopes_.pop();
}

void ExpressionLowering::examine_names(const Quantifier& quantifier) {
  if (quantifier.type != nullptr) examine_names(*quantifier.type);
  for (const ExpressionPtr* part : {&quantifier.from, &quantifier.to, &quantifier.by})
    if (*part != nullptr) examine_names(**part);
  declare_wrong(quantifier.name);
}

void ExpressionLowering::examine_names(const TypeNode& node) {
  if (node.form == TypeForm::name && scopes_.find(node.name.text) == nullptr)
    note_unknown(node.name);
  for (const ExpressionPtr* part : {&node.from, &node.to})
    if (*part != nullptr) examine_names(**part);
  for (const TypeNodePtr* part : {&node.index, &node.element})
    if (*part != nullptr) examine_names(**part);
  for (const TypeNodePtr& member : node.members) examine_names(*member);
  for (const FieldNode& field : node.fields) examine_names(*field.type);
}

void StatementLowering::examine_switch(const StatementNode& node) {
  examine_names(*node.value);
  for (const BranchNode& branch : node.branches) {
    for (const ExpressionPtr& value : branch.conditions) examine_names(*value);
    Body ignored;
    lower_statements(branch.body, ignored);
  }
}

void StatementLowering::examine_names(const StatementNode& node) {
  const bool declares = node.form == StatementForm::multiset_remove_pred;
  if (declares) {
    scopes_.push();
    declare_wrong(node.name);
  }
  for (const ExpressionPtr* part : {&node.target, &node.value})
    if (*part != nullptr) examine_names(**part);
  if (declares) scopes_.pop();
}

}  // namespace spillway::murphi
