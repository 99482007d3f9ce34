#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/murphi/statement_lowering.h"

namespace spillway::murphi {

using program::Do;

void StatementLowering::lower_statements(const Statements& statements, Body& out) {
  for (const StatementPtr& node : statements)
    if (!attempt([&] { lower_statement(*node, out); })) examine_names(*node);
}

void StatementLowering::lower_statement(const StatementNode& node, Body& out) {
  switch (node.form) {
    case StatementForm::assign: return lower_assignment(node, out);
    case StatementForm::if_: return lower_if(node, out);
    case StatementForm::switch_: return lower_switch(node, out);
    case StatementForm::for_: return lower_for(node, out);
    case StatementForm::while_: return lower_while(node, out);
    case StatementForm::alias: return lower_alias(node, out);
    case StatementForm::return_: return lower_return(node, out);
    case StatementForm::assert_: return lower_assert(node, out);
    case StatementForm::multiset_add:
    case StatementForm::multiset_remove:
    case StatementForm::multiset_remove_pred: return lower_multiset(node, out);
    case StatementForm::put:
      if (node.value != nullptr) lower_any(*node.value);
      return;
    case StatementForm::cover: return lower_cover(node, out);
    case StatementForm::call:
    case StatementForm::clear:
    case StatementForm::undefine:
    case StatementForm::error:
    case StatementForm::assume: break;
  }
  auto result = statement(Do::fail, node.position);
  if (node.form == StatementForm::call) {
    result->what = Do::call;
    result->value = lower_call(*node.value, false);
  } else if (node.form == StatementForm::error) {
    result->what = Do::require;
    result->value = literal(0, types_.truth(), node.position);
    result->text = node.text;
    result->property = add_property(program::PropertyKind::assertion, node.text, node.position);
  } else if (node.form == StatementForm::assume) {
    result->what = Do::discard_unless;
    if (context_.function) functions_[*context_.function].discards = true;
    result->value = lower_truth(*node.value, "the assumption");
    result->text = node.text;
  } else {
    const bool clear = node.form == StatementForm::clear;
    result->what = clear ? Do::clear : Do::undefine;
    result->place =
        writable(*node.target, clear ? "the operand of 'clear'" : "the operand of 'undefine'")
            .place;
    if (clear && !habits_.clears_scalarsets && types_.has_scalarset(result->place->type))
      refuse(node.target->position,
             "scalarsets cannot be cleared, because none of their values is the first");
  }
  out.push_back(std::move(result));
}

void StatementLowering::lower_assignment(const StatementNode& node, Body& out) {
  Location target = writable(*node.target, "the left side of ':='");
  if (is_undefined_word(*node.value)) {
    out.push_back(statement(Do::undefine, node.position));
    out.back()->place = std::move(target.place);
    return;
  }
  if (!is_scalar(target.place.type))
    return assign_whole(*node.value, target.place, node.position, out);
  ExprPtr value = lower_any(*node.value);
  if (!types_.compatible(type_of(*value), target.place.type))
    refuse(node.value->position, fmt::format("the left side is {}, but this is {}",
                                             types_.shown(target.place.type), shown(*value)));
  // Whether a variable may be copied while it is undefined is a matter of the dialect.
  if (value->op != Op::read) leave_unchecked(*value);
  auto result = statement(Do::assign, node.position);
  result->place = std::move(target.place);
  result->value = std::move(value);
  result->undefined_allowed = habits_.copies_undefined;
  out.push_back(std::move(result));
}

// Assigns records and arrays, also `a := b ? c : d`.
void StatementLowering::assign_whole(const Expression& value, const Place& target,
                                     Position position, Body& out) {
  if (value.form == Form::conditional) {
    auto result = statement(Do::choose, position);
    result->branches.resize(2);
    result->branches[0].condition = lower_truth(*value.operands[0], "the condition before '?'");
    expand(2 * weight(target), position);
    assign_whole(*value.operands[1], target, position, result->branches[0].body);
    assign_whole(*value.operands[2], target, position, result->branches[1].body);
    out.push_back(std::move(result));
    return;
  }
  auto result = statement(Do::assign, position);
  result->value = lower_any(value);
  if (!types_.same(type_of(*result->value), target.type))
    refuse(value.position, fmt::format("the left side is {}, but this is {}",
                                       types_.shown(target.type), shown(*result->value)));
  result->place = copy(target);
  result->undefined_allowed = true;
  out.push_back(std::move(result));
}

void StatementLowering::lower_if(const StatementNode& node, Body& out) {
  auto result = statement(Do::choose, node.position);
  for (const BranchNode& written : node.branches) {
    program::Branch branch;
    if (!written.conditions.empty()) {
      branch.condition = condition(*written.conditions[0], "the condition");
      warn_if_constant(*branch.condition, "condition");
    }
    lower_statements(written.body, branch.body);
    result->branches.push_back(std::move(branch));
  }
  out.push_back(std::move(result));
}

// The value is computed once and compared with each case in turn.
void StatementLowering::lower_switch(const StatementNode& node, Body& out) {
  auto bind = statement(Do::bind_value, node.position);
  if (!attempt([&] { bind->value = lower(*node.value); })) return examine_switch(node);
  const Type* type = type_of(*bind->value);
  leave_unchecked(*bind->value);
  bind->slot = slot({"switch", node.position}, type, program::Holds::constant);
  const ExprPtr chosen = read_slot(bind->slot, type, node.position);
  if (may_be_undefined(*bind->value)) chosen->undefined = program::Undefined::counts;
  out.push_back(std::move(bind));
  auto result = statement(Do::choose, node.position);
  for (const BranchNode& written : node.branches) {
    program::Branch branch;
    branch.condition = lower_cases(written, *chosen, node.position);
    lower_statements(written.body, branch.body);
    result->branches.push_back(std::move(branch));
  }
  if (!result->branches.empty()) out.push_back(std::move(result));
}

// Whether the value is one of the cases of the branch; nullptr if it has none.
program::ExprPtr StatementLowering::lower_cases(const BranchNode& branch, const Expr& chosen,
                                                Position position) {
  std::vector<ExprPtr> cases;
  for (const ExpressionPtr& written : branch.conditions) {
    const bool fine = attempt([&] {
      ExprPtr value = lower(*written);
      if (!types_.compatible(type_of(*value), chosen.type))
        refuse(written->position, fmt::format("this case is {}, but the value of the switch is {}",
                                              shown(*value), types_.shown(chosen.type)));
      cases.push_back(
          apply(Op::equal, copy(chosen), std::move(value), types_.truth(), written->position));
    });
    if (!fine) examine_names(*written);
  }
  if (cases.empty()) return nullptr;
  return apply_all(Op::logical_or, std::move(cases), types_.truth(), position);
}

void StatementLowering::lower_for(const StatementNode& node, Body& out) {
  auto result = statement(Do::loop_over, node.position);
  scopes_.push();
  const bool fine =
      attempt([&] { result->slot = lower_quantifier(*node.quantifier, result->range); });
  if (!fine) examine_names(*node.quantifier);
  result->branches.resize(1);
  lower_statements(node.branches[0].body, result->branches[0].body);
  scopes_.pop();
  if (result->range.unordered && is_search(result->branches[0].body))
    result = as_quantifier(std::move(*result));
  out.push_back(std::move(result));
}

// An unordered loop whose iterations only decide whether to return, always the same value, is a
// quantifier: `for i: S do if c(i) then return false; end; end` is `if exists i: S do c(i) end
// then return false; end`.
bool StatementLowering::is_search(const Body& body) {
  const auto leaves = [](const program::Statement& s) {
    return s.what == Do::choose && s.branches.size() == 1 && s.branches[0].body.size() == 1 &&
           s.branches[0].body[0]->what == Do::leave;
  };
  const auto result = [](const program::Statement& s) {
    return s.branches[0].body[0]->value.get();
  };
  return !body.empty() && std::all_of(body.begin(), body.end(), [&](const auto& one) {
    if (!leaves(*one)) return false;
    const Expr *first = result(*body.front()), *mine = result(*one);
    if (first == nullptr || mine == nullptr) return first == mine;
    return first->op == Op::literal && mine->op == Op::literal && first->value == mine->value;
  });
}

program::StatementPtr StatementLowering::as_quantifier(Statement loop) {
  ExprPtr some = new_expr(Op::exists, types_.truth(), loop.position);
  some->slot = loop.slot;
  some->range = std::move(loop.range);
  Body& body = loop.branches[0].body;
  std::vector<ExprPtr> conditions;
  for (const auto& one : body) conditions.push_back(std::move(one->branches[0].condition));
  some->operands.push_back(
      apply_all(Op::logical_or, std::move(conditions), types_.truth(), loop.position));
  program::StatementPtr result = std::move(body.front());
  result->branches[0].condition = std::move(some);
  return result;
}

void StatementLowering::lower_while(const StatementNode& node, Body& out) {
  auto result = statement(Do::loop_while, node.position);
  result->branches.resize(1);
  result->branches[0].condition =
      condition(*node.branches[0].conditions[0], "the condition of the loop");
  warn_if_constant(*result->branches[0].condition, "condition of the loop");
  lower_statements(node.branches[0].body, result->branches[0].body);
  out.push_back(std::move(result));
}

void StatementLowering::lower_return(const StatementNode& node, Body& out) {
  if (context_.function && functions_[*context_.function].wrong) {
    if (node.value != nullptr) examine_names(*node.value);
    return;
  }
  const Type* expected = context_.function ? functions_[*context_.function].result : nullptr;
  auto result = statement(Do::leave, node.position);
  if (node.value != nullptr) {
    if (expected == nullptr)
      refuse(node.value->position, context_.function
                                       ? "a procedure has no result, so 'return' takes no value"
                                       : "a rule has no result, so 'return' takes no value");
    result->value = lower_any(*node.value);
    if (!types_.compatible(type_of(*result->value), expected))
      refuse(node.value->position, fmt::format("the result of the function is {}, but this is {}",
                                               types_.shown(expected), shown(*result->value)));
    if (types_.is_unchecked(expected)) leave_unchecked(*result->value);
  } else if (expected != nullptr) {
    refuse(node.position, "'return' needs a value in a function");
  }
  out.push_back(std::move(result));
}

void StatementLowering::lower_assert(const StatementNode& node, Body& out) {
  auto result = statement(Do::require, node.position);
  result->value = lower_truth(*node.value, "the assertion");
  result->text = node.has_text ? node.text : fmt::format("assert at line {}", node.position.line);
  result->property = add_property(program::PropertyKind::assertion, result->text, node.position);
  out.push_back(std::move(result));
}

void StatementLowering::lower_cover(const StatementNode& node, Body& out) {
  auto result = statement(Do::cover, node.position);
  result->value = lower_truth(*node.value, "the condition of the cover");
  warn_if_constant(*result->value, "condition of the cover");
  result->text = node.has_text ? node.text : fmt::format("cover at line {}", node.position.line);
  cover_statements_.push_back(result.get());
  out.push_back(std::move(result));
}

// After all others, whose numbers are in checkpoints from before cover statements were checked.
void StatementLowering::add_cover_statements() {
  for (program::Statement* one : cover_statements_)
    one->property = add_property(program::PropertyKind::cover, one->text, one->position);
}

std::uint32_t StatementLowering::add_property(program::PropertyKind kind, const std::string& name,
                                              Position position) {
  program::Property& property = program_.properties.emplace_back();
  property.kind = kind;
  property.header.name = name;
  property.header.position = position;
  return static_cast<std::uint32_t>(program_.properties.size() - 1);
}

void StatementLowering::lower_multiset(const StatementNode& node, Body& out) {
  auto result = statement(Do::bag_add, node.position);
  const Location bag = bag_of(*node.target, true);
  const Type* element = bag.place.type->element;
  switch (node.form) {
    case StatementForm::multiset_add:
      result->value = lower_any(*node.value);
      if (!types_.compatible(type_of(*result->value), element))
        refuse(node.value->position,
               fmt::format("the element of the multiset is {}, but this is {}",
                           types_.shown(element), shown(*result->value)));
      if (types_.is_unchecked(element)) leave_unchecked(*result->value);
      break;
    case StatementForm::multiset_remove:
      result->what = Do::bag_remove;
      result->value = bag_index(*node.value);
      break;
    default:
      result->what = Do::bag_remove_if;
      scopes_.push();
      result->slot = slot(node.name, nullptr, program::Holds::constant);
      declare(Means::bag_index, node.name, nullptr).index = result->slot;
      result->value = lower_truth(*node.value, "the condition of multisetremovepred");
      scopes_.pop();
      break;
  }
  result->place = copy(bag.place);
  out.push_back(std::move(result));
}

}  // namespace spillway::murphi
