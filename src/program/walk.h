// Visits all expressions, places and statements of a program.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "program/program.h"

namespace spillway::program {

// walk(node, visit) calls `visit` with every Expr, Place and Statement of a Program, Rule,
// Property, Body, Statement, Expr, Place or Range, outer nodes before inner ones.  They are const
// if the node is.  A visitor must accept all three: inherit from Visitor, or from Changer if it
// changes the nodes, to ignore those that do not matter.
struct Visitor {
  void operator()(const Expr&) {}
  void operator()(const Place&) {}
  void operator()(const Statement&) {}
};

struct Changer {
  void operator()(Expr&) {}
  void operator()(Place&) {}
  void operator()(Statement&) {}
};

template <class T, class Node>
concept Some = std::same_as<std::remove_const_t<T>, Node>;

// The target of a pointer, const if its owner is.
template <class Owner, class Node>
auto& inside(Owner&, const std::unique_ptr<Node, Destroy>& pointer) {
  if constexpr (std::is_const_v<Owner>)
    return std::as_const(*pointer);
  else
    return *pointer;
}

void walk(Some<Place> auto& place, auto& visit) {
  visit(place);
  for (auto& step : place.steps)
    if (step.index) walk(inside(step, step.index), visit);
}

void walk(Some<Range> auto& range, auto& visit) {
  for (const ExprPtr* part : {&range.from, &range.to, &range.by})
    if (*part) walk(inside(range, *part), visit);
}

void walk(Some<Expr> auto& expr, auto& visit) {
  visit(expr);
  if (expr.place) walk(*expr.place, visit);
  for (auto& argument : expr.arguments) {
    if (argument.value) walk(inside(argument, argument.value), visit);
    if (argument.place) walk(*argument.place, visit);
  }
  walk(expr.range, visit);
  for (const ExprPtr& operand : expr.operands) walk(inside(expr, operand), visit);
}

void walk(Some<Statement> auto& statement, auto& visit) {
  visit(statement);
  if (statement.place) walk(*statement.place, visit);
  if (statement.value) walk(inside(statement, statement.value), visit);
  walk(statement.range, visit);
  for (auto& branch : statement.branches) {
    if (branch.condition) walk(inside(branch, branch.condition), visit);
    walk(branch.body, visit);
  }
}

void walk(Some<Body> auto& body, auto& visit) {
  for (const StatementPtr& statement : body) walk(inside(body, statement), visit);
}

void walk(Some<Rule> auto& rule, auto& visit) {
  walk(rule.header.bindings, visit);
  if (rule.guard) walk(inside(rule, rule.guard), visit);
  walk(rule.body, visit);
}

void walk(Some<Property> auto& property, auto& visit) {
  walk(property.header.bindings, visit);
  if (property.condition) walk(inside(property, property.condition), visit);
}

// All that decides what the states are and what is wrong with one, and not what is asked of runs.
void walk_without_propositions(Some<Program> auto& program, auto& visit) {
  for (auto& function : program.functions) walk(function.body, visit);
  for (auto& rule : program.starts) walk(rule, visit);
  for (auto& rule : program.rules) walk(rule, visit);
  for (auto& property : program.properties) walk(property, visit);
  if (program.accepting) walk(*program.accepting, visit);
  if (program.failure_state) walk(*program.failure_state, visit);
}

void walk(Some<Program> auto& program, auto& visit) {
  walk_without_propositions(program, visit);
  for (auto& proposition : program.propositions) walk(proposition, visit);
}

// True if an expression or a place contains a call.  Then the order of evaluation matters.
bool has_call(const auto& part) {
  struct : Visitor {
    using Visitor::operator();
    void operator()(const Expr& one) { found = found || one.op == Op::call; }
    bool found = false;
  } calls;
  walk(part, calls);
  return calls.found;
}

}  // namespace spillway::program
