#include "program/c_function.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::program {

bool has_call(const Expr& expr) {
  if (expr.op == Op::call) return true;
  const auto in = [](const ExprPtr& part) { return part && has_call(*part); };
  if (expr.place &&
      std::any_of(expr.place->steps.begin(), expr.place->steps.end(), [&](const Step& step) { return in(step.index); }))
    return true;
  return in(expr.range.from) || in(expr.range.to) || in(expr.range.by) ||
         std::any_of(expr.operands.begin(), expr.operands.end(), in);
}

void CFunction::take_address(const Place& place) {
  if (!place.in_state && frame_[place.root].holds == Holds::value) in_memory_[place.root] = true;
}

void CFunction::look_at(const Place& place) {
  for (const Step& step : place.steps)
    if (step.index) look_at(*step.index);
}

void CFunction::look_at(const Range& range) {
  for (const ExprPtr* part : {&range.from, &range.to, &range.by})
    if (*part) look_at(**part);
}

void CFunction::look_at(const Expr& expr) {
  if (expr.place) look_at(*expr.place);
  look_at(expr.range);
  for (const Argument& argument : expr.arguments) {
    if (argument.value) look_at(*argument.value);
    if (argument.place) {
      look_at(*argument.place);
      take_address(*argument.place);
    }
  }
  for (const ExprPtr& operand : expr.operands) look_at(*operand);
}

void CFunction::look_at(const Body& body) {
  for (const auto& statement : body) {
    if (statement->place) look_at(*statement->place);
    if (statement->place && statement->what == Do::bind_place) take_address(*statement->place);
    if (statement->value) look_at(*statement->value);
    look_at(statement->range);
    for (const Branch& branch : statement->branches) {
      if (branch.condition) look_at(*branch.condition);
      look_at(branch.body);
    }
  }
}

std::string CFunction::slot_declarations(std::size_t first) const {
  std::string out;
  for (std::size_t i = first; i < frame_.size(); ++i) {
    const Slot& slot = frame_[i];
    switch (slot.holds) {
      case Holds::constant: out += fmt::format("  V l{} = 0; (void)l{};\n", i, i); break;
      case Holds::reference: out += fmt::format("  W *m{} = 0; B b{} = 0; (void)m{}; (void)b{};\n", i, i, i, i); break;
      case Holds::value:
        if (slot.type->is_scalar() && !in_memory_[i])
          out += fmt::format("  V l{} = {}; (void)l{};\n", i,
                             slot.type->total ? c_number(slot.type->domain.value(1)) : "U", i);
        else
          out += fmt::format("  W m{}[{}] = {{0}}; (void)m{};\n", i, memory_words(*slot.type), i);
    }
  }
  return out;
}

std::string CFunction::parameters(const Function& function) {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds == Holds::reference)
      out += fmt::format(", W *m{}, B b{}", i, i);
    else if (is_scalar(slot.type))
      out += fmt::format(", V {}{}", slot.holds == Holds::constant ? "l" : "a", i);
    else
      out += fmt::format(", const W *a{}, B b{}", i, i);
  }
  return out;
}

std::string CFunction::entry(const Function& function) const {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds != Holds::value) {
      out += slot.holds == Holds::reference ? fmt::format("  (void)m{}; (void)b{};\n", i, i)
                                            : fmt::format("  (void)l{};\n", i);
      continue;
    }
    if (!slot.type->is_scalar())
      out += fmt::format("  W m{}[{}] = {{0}}; cp(m{}, 0, a{}, b{}, {});\n", i, memory_words(*slot.type), i, i, i,
                         bits_of(*slot.type));
    else if (in_memory_[i])
      out += fmt::format("  W m{0}[2] = {{a{0} == U ? 0 : code{1}(a{0}){2}}};\n", i, tables_.domain(slot.type->domain),
                         slot.type->total ? " - 1" : "");
    else
      out += fmt::format("  V l{} = a{}; (void)l{};\n", i, i, i);
  }
  return out;
}

std::string CFunction::temporary(const Type& type) {
  const std::string name = fresh("c");
  temporaries_ += fmt::format("  W {}[{}] = {{0}};\n", name, memory_words(type));
  return name;
}

}  // namespace spillway::program
