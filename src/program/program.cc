#include "program/program.h"

namespace spillway::program {

void Destroy::operator()(Expr* expr) const { delete expr; }
void Destroy::operator()(Statement* statement) const { delete statement; }

std::uint64_t Header::instances() const {
  std::uint64_t product = 1;
  for (const Parameter& parameter : parameters) product *= parameter.values.size();
  return product;
}

std::vector<Value> Header::arguments(std::uint64_t instance) const {
  std::vector<Value> values(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const std::vector<Value>& all = parameters[i].values;
    values[i] = all[static_cast<std::size_t>(instance % all.size())];
    instance /= all.size();
  }
  return values;
}

std::uint32_t reported_number(const Program& program, std::size_t property) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < property; ++i)
    number += program.properties[i].kind == PropertyKind::assumption ? 0 : 1;
  return number;
}

bool may_be_undefined(const Expr& expr) {
  switch (expr.op) {
    case Op::slot:
    case Op::read:
    case Op::call: return expr.undefined == Undefined::counts;
    case Op::conditional:
      return may_be_undefined(*expr.operands[1]) || may_be_undefined(*expr.operands[2]);
    default: return false;
  }
}

bool alike(const Place& a, const Place& b) {
  if (a.in_state != b.in_state || a.root != b.root || a.steps.size() != b.steps.size())
    return false;
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    const Selector &x = a.steps[i], &y = b.steps[i];
    if ((x.index == nullptr) != (y.index == nullptr) || x.field != y.field) return false;
    if (x.index && !alike(*x.index, *y.index)) return false;
  }
  return true;
}

bool alike(const Expr& a, const Expr& b) {
  if (a.op != b.op) return false;
  switch (a.op) {
    case Op::literal: return a.value == b.value;
    case Op::slot: return a.slot == b.slot;
    case Op::read: return alike(*a.place, *b.place);
    default: return false;
  }
}

}  // namespace spillway::program
