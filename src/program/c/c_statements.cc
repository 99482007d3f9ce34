// Statements as C text.
#include <fmt/format.h>

#include <string_view>

#include "program/bounds.h"
#include "program/c/c_function.h"

namespace spillway::program {

std::string CFunction::statements(const Body& body) {
  std::string out;
  for (const auto& part : body) statement(*part, out);
  return out;
}

std::string CFunction::marks(const Statement& statement, const std::string& value) {
  std::string out;
  for (const std::uint32_t mark : statement.marks)
    out += fmt::format("MARK({});\n", c_number(mark));
  if (statement.marks_value) out += fmt::format("mark_value(x, {});\n", value);
  return out;
}

void CFunction::copy_aggregate(const std::string& to, const std::string& to_bit, const Expr& from,
                               std::string& out) {
  std::string base;
  std::string bit = "0";
  if (from.op == Op::call) {
    base = temporary(*from.type);
    out += call(from, base) + ";\n";
  } else {
    const At source = at(*from.place);
    base = source.base;
    bit = source.bit;
  }
  const std::string b = fresh("b");
  const std::string a = fresh("b");
  out += fmt::format("B x{0} = {1}; B x{2} = {3}; cp({4}, x{2}, {5}, x{0}, {6});\n", b, bit, a,
                     to_bit, to, base, bits_of(*from.type));
}

void CFunction::assign(const Statement& statement, std::string& out) {
  const Place& place = *statement.place;
  const Expr& value = *statement.value;
  out += "{ ";
  if (!place.type->is_scalar()) {
    const At to = at(place);
    copy_aggregate(to.base, to.bit, value, out);
  } else {
    const bool any = (statement.undefined_allowed && !place.type->total &&
                      (value.op == Op::read || value.op == Op::call)) ||
                     may_be_undefined(value);
    const std::string v = fresh("v");
    out += fmt::format("V {} = {}; ", v, any ? raw(value) : scalar(value));
    const Interval bounds = bounds_of(value);
    const Domain& domain = place.type->domain;
    if (plain(place))
      out += fmt::format("{}l{} = {};\n", checked(domain, v, bounds, any), place.root, v);
    else
      store(place, code_if_defined(domain, v, bounds, any), out);
    out += marks(statement, v);
  }
  out += "}\n";
}

void CFunction::bind_value(const Statement& statement, std::string& out) {
  const Slot& slot = frame_[statement.slot];
  const Expr& value = *statement.value;
  out += "{ ";
  if (!is_scalar(slot.type)) {
    copy_aggregate(fmt::format("m{}", statement.slot), "0", value, out);
  } else {
    const Interval bounds = bounds_of(value);
    const std::string v = fresh("v");
    out += fmt::format("V {} = {}; ", v, scalar(value));
    const bool any = may_be_undefined(value);
    if (slot.holds == Holds::value && in_memory_[statement.slot])
      out += fmt::format("m{}[0] = {}{};\n", statement.slot,
                         code_if_defined(slot.type->domain, v, bounds, any),
                         slot.type->total ? " - 1" : "");
    else
      out += fmt::format("{}l{} = {};\n",
                         slot.type == nullptr ? "" : checked(slot.type->domain, v, bounds, any),
                         statement.slot, v);
  }
  out += "}\n";
}

void CFunction::leave(const Statement& statement, std::string& out) {
  if (!in_function_ || result_ == nullptr || !statement.value) {
    if (in_function_) out += depth_text();
    out += in_function_ && result_ != nullptr && result_->is_scalar() ? "return U;\n" : "return;\n";
    return;
  }
  out += "{ ";
  if (!result_->is_scalar()) {
    copy_aggregate("result", "0", *statement.value, out);
    out += depth_text() + "return; }\n";
    return;
  }
  const Interval bounds = bounds_of(*statement.value);
  const std::string v = fresh("v");
  out += fmt::format("V {} = {}; ", v, scalar(*statement.value));
  out += checked(result_->domain, v, bounds, may_be_undefined(*statement.value));
  out += fmt::format("{}return {}; }}\n", depth_text(), v);
}

void CFunction::bag_statement(const Statement& statement, std::string& out) {
  const Type& bag = *statement.place->type;
  const std::uint64_t slot_bits = 1 + bits_of(*bag.element);
  const std::uint64_t element_bits = bits_of(*bag.element);
  const std::string v = fresh("v");
  const std::string b = fresh("y");
  const std::string i = fresh("i");
  const auto open = [&] {
    const At where = at(*statement.place);
    out += fmt::format("B {} = {};\n", b, where.bit);
    return where.base;
  };
  out += "{ ";
  if (statement.what == Do::bag_add) {
    const std::string element = temporary(*bag.element);
    if (bag.element->is_scalar()) {
      const Interval bounds = bounds_of(*statement.value);
      out += fmt::format(
          "V {} = {}; stx({}, 0, {}, {}{});\n", v, scalar(*statement.value), element, element_bits,
          code_if_defined(bag.element->domain, v, bounds, may_be_undefined(*statement.value)),
          bag.element->total ? " - 1" : "");
    } else {
      copy_aggregate(element, "0", *statement.value, out);
    }
    const std::string base = open();
    out += fmt::format(
        "B {0}; for ({0} = 0; {0} < {1}u && ld({2}, {3} + {0} * {4}u, 1); ++{0}) continue;\n"
        "if (RARELY({0} == {1}u)) fail(x);\n"
        "st({2}, {3} + {0} * {4}u, 1, 1); cp({2}, {3} + {0} * {4}u + 1, {5}, 0, {6});\n{7}}}\n",
        i, bag.capacity, base, b, slot_bits, element, element_bits, marks(statement, v));
    return;
  }
  if (statement.what == Do::bag_remove) {
    out +=
        fmt::format("V {} = within(x, {}, 0, {}); ", v, scalar(*statement.value), bag.capacity - 1);
    const std::string base = open();
    out += fmt::format("{1} += (B){0} * {2}u; known(x, ld({3}, {1}, 1)); zero({3}, {1}, {2}); }}\n",
                       v, b, slot_bits, base);
    return;
  }
  const std::string base = open();
  out += fmt::format(
      "W {6}[{7}] = {{0}};\n"
      "for (l{0} = 0; l{0} < {1}; ++l{0}) if (ld({2}, {3} + (B)l{0} * {4}u, 1) && {5}) {6}[l{0} / "
      "64] |= (W)1 << l{0} "
      "% 64;\n"
      "for (l{0} = 0; l{0} < {1}; ++l{0}) if ({6}[l{0} / 64] >> l{0} % 64 & 1) zero({2}, {3} + "
      "(B)l{0} * {4}u, {4}); "
      "}}\n",
      statement.slot, bag.capacity, base, b, slot_bits, scalar(*statement.value), v,
      (bag.capacity + 63) / 64);
}

void CFunction::statement(const Statement& statement, std::string& out) {
  switch (statement.what) {
    case Do::assign: return assign(statement, out);
    case Do::bind_value: return bind_value(statement, out);
    case Do::bind_place: {
      const At where = at(*statement.place);
      out += fmt::format("b{0} = {1}; m{0} = {2};\n", statement.slot, where.bit, where.base);
      return;
    }
    case Do::undefine:
      if (plain(*statement.place)) {
        out += fmt::format(
            "l{} = {};\n", statement.place->root,
            statement.place->type->total ? c_number(statement.place->type->domain.value(1)) : "U");
      } else {
        const At where = at(*statement.place);
        out += fmt::format("zero({}, {}, {});\n", where.base, where.bit,
                           bits_of(*statement.place->type));
      }
      return;
    case Do::clear:
      if (plain(*statement.place)) {
        out += fmt::format("l{} = {};\n", statement.place->root,
                           c_number(statement.place->type->domain.value(1)));
      } else {
        const At where = at(*statement.place);
        out +=
            fmt::format("cp({}, {}, cleared{}, 0, {});\n", where.base, where.bit,
                        tables_.cleared(*statement.place->type), bits_of(*statement.place->type));
      }
      out += marks(statement);
      return;
    case Do::choose: {
      const char* word = "if";
      for (const Branch& branch : statement.branches) {
        if (branch.condition)
          out += fmt::format("{} ({}) {{\n", word, scalar(*branch.condition));
        else
          out += word == std::string_view("if") ? "{\n" : "else {\n";
        for (const auto& part : branch.body) this->statement(*part, out);
        out += "}\n";
        word = "else if";
        if (!branch.condition) break;
      }
      return;
    }
    case Do::loop_over:
      out += fmt::format("{{ {} {{\n", loop(statement.range, statement.slot));
      if (work_.looks(statement.range, work_.of(statement.branches[0].body, frame_), frame_))
        out += "LOOK;\n";
      for (const auto& part : statement.branches[0].body) this->statement(*part, out);
      out += "} }\n";
      return;
    case Do::loop_while: {
      const std::string n = fresh("n");
      const std::string condition = scalar(*statement.branches[0].condition);
      out += fmt::format(
          "{{ W {0} = 0; while ({1}) {{ if (RARELY({0}++ == LOOP_LIMIT)) fail(x);\nLOOK;\n", n,
          condition);
      for (const auto& part : statement.branches[0].body) this->statement(*part, out);
      out += "} }\n";
      return;
    }
    case Do::call: out += fmt::format("(void){};\n", call(*statement.value, "")); return;
    case Do::leave: return leave(statement, out);
    case Do::fail: out += "fail(x);\n"; return;
    case Do::require:
      out += fmt::format(
          "if (RARELY(!{})) {};\n", scalar(*statement.value),
          statement.property == kNoAssertion
              ? "fail(x)"
              : fmt::format("violate(x, {})", reported_number(program_, statement.property)));
      return;
    case Do::discard_unless:
      out += fmt::format("if (!{}) {{ COUNT({}); discard(x); }}\n", scalar(*statement.value),
                         c_number(statement.counter));
      return;
    case Do::cover:
      out += fmt::format("if ({}) {{ {} }}\n", scalar(*statement.value), marks(statement));
      return;
    case Do::bag_add:
    case Do::bag_remove:
    case Do::bag_remove_if: return bag_statement(statement, out);
  }
}

}  // namespace spillway::program
