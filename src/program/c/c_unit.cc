#include "program/c/c_unit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

// The functions that a body or expression calls.
struct Calls : Visitor {
  using Visitor::operator();
  explicit Calls(std::size_t functions) : called(functions) {}
  void operator()(const Expr& expr) {
    if (expr.op == Op::call) called[expr.function] = true;
  }
  std::vector<bool> called;
};

}  // namespace

CUnit::CUnit(const Program& of) : program(of), layout(of), instances(of), discarding(of), work(of) {
  const std::size_t count = program.functions.size();
  std::vector<std::vector<bool>> reaches;
  for (const Function& function : program.functions) {
    Calls calls(count);
    walk(function.body, calls);
    discards = discards || discarding.may(function.body);
    reaches.push_back(calls.called);
  }
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; reaches[i][k] && j < count; ++j)
        if (reaches[k][j]) reaches[i][j] = true;
  for (std::size_t i = 0; i < count; ++i) recursive.push_back(reaches[i][i]);
  for (const auto* rules : {&program.starts, &program.rules})
    for (const Rule& rule : *rules) discards = discards || discarding.may(rule.body);
}

std::uint64_t CUnit::steps_of(const Property& property) {
  const Frame& frame = property.header.frame;
  return work.of(property.header.bindings, frame) + work.of(*property.condition, frame);
}

void CUnit::examine_locals(const std::string& name, Position position, const Frame& frame,
                           std::uint64_t most) const {
  std::uint64_t bytes = 0;
  for (const Slot& slot : frame)
    // The array itself, and a result.
    if (slot.holds == Holds::value) bytes += 2 * sizeof(Word) * memory_words(*slot.type);
  if (bytes > most)
    throw Error(
        Fault::model,
        fmt::format(
            "{}:{}:{}: the local variables of '{}' are too large to be compiled; try --interpret",
            program.name, position.line, position.column, name));
}

}  // namespace spillway::program
