// Goes through all expressions and places of a program, wherever they stand.
#pragma once

#include "program/program.h"

namespace spillway::program {

// `visit` is called with every Expr&, Place& and Statement&, the outer one before the inner ones.  A visitor has all
// three; inherit from Visitor for those that do not matter.
struct Visitor {
  void operator()(Expr&) {}
  void operator()(Place&) {}
  void operator()(Statement&) {}
};

template <class Visit>
void walk(Expr& expr, Visit& visit);

template <class Visit>
void walk(Place& place, Visit& visit) {
  visit(place);
  for (Step& step : place.steps)
    if (step.index) walk(*step.index, visit);
}

template <class Visit>
void walk(Range& range, Visit& visit) {
  for (ExprPtr* part : {&range.from, &range.to, &range.by})
    if (*part) walk(**part, visit);
}

template <class Visit>
void walk(Expr& expr, Visit& visit) {
  visit(expr);
  if (expr.place) walk(*expr.place, visit);
  for (Argument& argument : expr.arguments) {
    if (argument.value) walk(*argument.value, visit);
    if (argument.place) walk(*argument.place, visit);
  }
  walk(expr.range, visit);
  for (ExprPtr& operand : expr.operands) walk(*operand, visit);
}

template <class Visit>
void walk(Body& body, Visit& visit) {
  for (const auto& statement : body) {
    visit(*statement);
    if (statement->place) walk(*statement->place, visit);
    if (statement->value) walk(*statement->value, visit);
    walk(statement->range, visit);
    for (Branch& branch : statement->branches) {
      if (branch.condition) walk(*branch.condition, visit);
      walk(branch.body, visit);
    }
  }
}

template <class Visit>
void walk(Rule& rule, Visit& visit) {
  walk(rule.header.bindings, visit);
  if (rule.guard) walk(*rule.guard, visit);
  walk(rule.body, visit);
}

template <class Visit>
void walk(Property& property, Visit& visit) {
  walk(property.header.bindings, visit);
  if (property.condition) walk(*property.condition, visit);
}

template <class Visit>
void walk(Program& program, Visit& visit) {
  for (Function& function : program.functions) walk(function.body, visit);
  for (Rule& rule : program.starts) walk(rule, visit);
  for (Rule& rule : program.rules) walk(rule, visit);
  for (Property& property : program.properties) walk(property, visit);
  if (program.accepting) walk(*program.accepting, visit);
  if (program.failure_state) walk(*program.failure_state, visit);
}

}  // namespace spillway::program
