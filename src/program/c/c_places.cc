// Places in memory as C text.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/bounds.h"
#include "program/c/c_function.h"
#include "program/walk.h"

namespace spillway::program {

Interval CFunction::bounds_of(const Expr& expr) const {
  return bounds(expr, frame_, program_.functions);
}

bool CFunction::plain(const Place& place) const {
  return !place.in_state && place.steps.empty() && frame_[place.root].holds == Holds::value &&
         !in_memory_[place.root] && frame_[place.root].type->is_scalar();
}

// Whether a scalar in an array of the state can straddle two words, for some value of the indices.
bool CFunction::crosses(const Place& place) const {
  if (!place.in_state || width_of(*place.type) > 57) return true;
  constexpr std::size_t kMost = 4096;
  std::vector<std::uint64_t> bits = {layout_.variable_bit(place.root)};
  const Type* type = program_.variables[place.root].type;
  for (const Selector& step : place.steps) {
    if (!step.index) {
      for (std::uint64_t& bit : bits) bit += field_bit(*type, step.field);
      type = type->fields[step.field].type;
      continue;
    }
    const std::uint64_t count =
        type->kind == Kind::array ? type->index->domain.size() : type->capacity;
    if (bits.size() * count > kMost) return true;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t bit : bits)
      for (std::uint64_t i = 0; i < count; ++i) next.push_back(bit + element_bit(*type, i));
    bits = std::move(next);
    type = type->element;
  }
  const unsigned width = width_of(*type);
  return std::any_of(bits.begin(), bits.end(),
                     [&](std::uint64_t bit) { return bit % 64 + width > 64; });
}

std::string CFunction::element(const Type& type, const Selector& step, const std::string& base,
                               const std::string& bit, std::optional<std::uint64_t>& constant) {
  constant.reset();
  const Interval within = bounds_of(*step.index);
  if (type.kind == Kind::array) {
    const Domain& domain = type.index->domain;
    const std::uint64_t stride = bits_of(*type.element);
    if (step.index->op == Op::literal && domain.contains(step.index->value)) {
      constant = (domain.code(step.index->value) - 1) * stride;
      return "";
    }
    return fmt::format("(B)({} - 1) * {}u", code_of(domain, scalar(*step.index), within), stride);
  }
  const std::uint64_t slot_bits = 1 + bits_of(*type.element);
  const std::string i = fresh("i");
  return fmt::format(
      "({{ V {0} = within(x, {1}, 0, {2}); known(x, ld({3}, {4} + (B){0} * {5}u, 1)); (B){0} * "
      "{5}u + 1u; }})",
      i, scalar(*step.index), type.capacity - 1, base, bit, slot_bits);
}

CFunction::At CFunction::at(const Place& place) {
  At at;
  const Type* type = nullptr;
  const bool calls = has_call(place);
  std::uint64_t constant = 0;
  std::string moving;
  if (place.in_state) {
    at.base = "t";
    constant = layout_.variable_bit(place.root);
    type = program_.variables[place.root].type;
  } else {
    at.base = fmt::format("m{}", place.root);
    if (frame_[place.root].holds == Holds::reference) moving = fmt::format("b{}", place.root);
    type = frame_[place.root].type;
  }
  for (const Selector& step : place.steps) {
    if (!step.index) {
      constant += field_bit(*type, step.field);
      type = type->fields[step.field].type;
      continue;
    }
    std::optional<std::uint64_t> known;
    std::string first;  // calls are executed once, in their order, which the operands of + have not
    if (calls && !moving.empty()) {
      first = std::exchange(moving, fresh("x"));
      first = fmt::format("B {} = {}; ", moving, first);
    }
    const std::string before =
        moving.empty() ? fmt::format("{}u", constant) : fmt::format("{} + {}u", moving, constant);
    const std::string more = element(*type, step, at.base, before, known);
    if (known)
      constant += *known;
    else
      moving += (moving.empty() ? "" : " + ") + more;
    if (!first.empty()) moving = fmt::format("({{ {}{}; }})", first, moving);
    type = type->element;
  }
  if (moving.empty()) {
    at.constant = constant;
    at.bit = fmt::format("{}u", constant);
  } else {
    at.bit = constant == 0 ? moving : fmt::format("{}u + {}", constant, moving);
  }
  at.in_word =
      type->is_scalar() && (at.constant ? constant % 64 + width_of(*type) <= 64 : !crosses(place));
  return at;
}

std::string CFunction::load(const Place& place) {
  const At where = at(place);
  const unsigned width = width_of(*place.type);
  const char* function = where.in_word ? "ldw" : width <= 57 ? "ld" : "ldx";
  return fmt::format("{}({}, {}, {})", function, where.base, where.bit, width);
}

// Stores the code at the place.  The statements before this have computed both.
void CFunction::store(const Place& place, const std::string& code, std::string& out) {
  At where = at(place);
  if (has_call(place)) {  // comes before the code, which may fail: arguments have no order
    const std::string x = fresh("x");
    out += fmt::format("B {} = {}; ", x, std::exchange(where.bit, x));
  }
  const unsigned width = width_of(*place.type);
  const char* function = where.in_word ? "stw" : width <= 57 ? "st" : "stx";
  out += fmt::format("{}({}, {}, {}, {}{});\n", function, where.base, where.bit, width, code,
                     place.type->total ? " - 1" : "");
}

std::string CFunction::value_of(const Type& type, const std::string& stored,
                                bool may_be_undefined) {
  const Domain& domain = type.domain;
  const bool simple = domain.intervals().size() == 1;
  const Value low = domain.intervals().front().low;
  if (type.total)
    return simple ? fmt::format("(V)({} + (W){})", stored, c_number(low))
                  : fmt::format("value{}({} + 1)", tables_.domain(domain), stored);
  const std::string shift = c_number(low - 1);
  if (!may_be_undefined)
    return simple ? fmt::format("(V)(known(x, {}) + (W){})", stored, shift)
                  : fmt::format("value{}(known(x, {}))", tables_.domain(domain), stored);
  const std::string c = fresh("c");
  return fmt::format("({{ W {0} = {1}; {0} == 0 ? U : {2}; }})", c, stored,
                     simple ? fmt::format("(V)({} + (W){})", c, shift)
                            : fmt::format("value{}({})", tables_.domain(domain), c));
}

std::string CFunction::code_of(const Domain& domain, const std::string& value, Interval bounds) {
  if (domain.intervals().size() > 1)
    return fmt::format("known(x, code{}({}))", tables_.domain(domain), value);
  const Interval& only = domain.intervals().front();
  const std::string low = c_number(only.low);
  if (inside(bounds, only)) return fmt::format("((W){} - (W){} + 1)", value, low);
  return fmt::format("((W)within(x, {}, {}, {}) - (W){} + 1)", value, low, c_number(only.high),
                     low);
}

std::string CFunction::checked(const Domain& domain, const std::string& variable, Interval bounds,
                               bool may_be_undefined) {
  if (inside(bounds, domain)) return "";
  return fmt::format("{}known(x, {}); ",
                     may_be_undefined ? fmt::format("if ({} != U) ", variable) : "",
                     code_of(domain, variable, bounds));
}

std::string CFunction::code_if_defined(const Domain& domain, const std::string& variable,
                                       Interval bounds, bool may_be_undefined) {
  return fmt::format("{}{}", may_be_undefined ? fmt::format("{} == U ? 0 : ", variable) : "",
                     code_of(domain, variable, bounds));
}

}  // namespace spillway::program
