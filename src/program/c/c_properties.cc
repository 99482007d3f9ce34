#include "program/c/c_properties.h"

#include <fmt/format.h>

#include "program/c/c_header.h"

namespace spillway::program {
namespace {

bool is_met_by_some(const Property& property) {
  return property.kind == PropertyKind::cover || property.kind == PropertyKind::reachable;
}

}  // namespace

std::string CProperties::conditions_only() const {
  return std::string("  X x;\n  x.depth = x.stopped = 0;\n") +
         (unit_.observes() ? "  x.marks = marks;\n" : "");
}

std::string CProperties::spare_marks() const {
  return unit_.observes() ? fmt::format("  uint8_t marks[{}];\n", unit_.program.marks + 1) : "";
}

void CProperties::conditions(std::string& out) {
  for (std::size_t i = 0; i < unit_.program.properties.size(); ++i) {
    const Property& property = unit_.program.properties[i];
    if (property.condition) this->property(property, fmt::format("q{}", i), out);
  }
}

void CProperties::property(const Property& property, const std::string& name, std::string& out) {
  const bool some = is_met_by_some(property);
  const Header& header = property.header;
  const std::string parameters = formal_parameters(header);
  const std::string arguments = actual_parameters(header);
  std::string loops;
  const std::vector<bool> looks = looking_loops(header, unit_.steps_of(property), unit_.work);
  for (std::size_t p = 0; header.instances() != 0 && p < header.parameters.size(); ++p)
    loops += parameter_loop(header.parameters[p], p) + (looks[p] ? "LOOK;\n" : "");
  const std::string ends(header.parameters.size(), '}');
  if (header.instances() != 0) {
    CFunction c = unit_.function(header.frame);
    c.look_at(header.bindings);
    c.look_at(*property.condition);
    const std::string bindings = c.statements(header.bindings);
    const std::string condition = c.truth(*property.condition);
    out += fmt::format("static inline int {}_one(X *x, W *t{}) {{\n  (void)x; (void)t;\n", name,
                       parameters);
    out += unused_parameters(header) + other_slots(c, header) + c.temporaries() + bindings +
           fmt::format("return {} != 0;\n}}\n", condition);
  }
  out += fmt::format("static int {}(X *x, W *t) {{\n  (void)x; (void)t; int held = {};\n", name,
                     some ? 0 : 1);
  // Instances of an assumption have no order: if one cannot be evaluated, it does not matter that
  // another is false.
  const bool all = property.kind == PropertyKind::assumption;
  if (header.instances() != 0)
    out += fmt::format("{}if ({}{}_one(x, t{})) {};{}\n", loops, some ? "" : "!", name, arguments,
                       all    ? "held = 0"
                       : some ? "return 1"
                              : "return 0",
                       ends);
  out += "return held;\n}\n";
  if (!some || header.instances() < 2) return;
  out += fmt::format(
      "static __attribute__((noinline)) int {0}_try(X *x, W *t{1}) {{\n"
      "  if (_setjmp(x->failed) != 0) {{ x->depth = 0; return 0; }}\n  return {0}_one(x, "
      "t{2});\n}}\n"
      "static int {0}_tried(X *x, W *t) {{\n{3}if ({0}_try(x, t{2})) return 1;{4}\nreturn "
      "0;\n}}\n",
      name, parameters, arguments, loops, ends);
}

void CProperties::accepting(std::string& out) {
  const Property& property = *unit_.program.accepting;
  CFunction c = unit_.function(property.header.frame);
  c.look_at(*property.condition);
  const std::string condition = c.truth(*property.condition);
  out += fmt::format(
      "static int accepts(X *x, W *t) {{\n  (void)x; (void)t;\n{}{}  return {} != 0;\n}}\n"
      "static int accepting(const W *row) {{\n{}{}  W t[N + 1];\n"
      "  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n  return _setjmp(x.failed) == 0 && "
      "accepts(&x, t);\n}}\n",
      c.slot_declarations(), c.temporaries(), condition, spare_marks(), conditions_only());
}

void CProperties::propositions(std::string& out) {
  std::string all;
  for (std::size_t i = 0; i < unit_.program.propositions.size(); ++i) {
    const Property& proposition = unit_.program.propositions[i];
    CFunction c = unit_.function(proposition.header.frame);
    c.look_at(*proposition.condition);
    const std::string condition = c.truth(*proposition.condition);
    out += fmt::format(
        "static int proposition{}(X *x, W *t) {{\n  (void)x; (void)t;\n{}{}  return {} != "
        "0;\n}}\n",
        i, c.slot_declarations(), c.temporaries(), condition);
    all += fmt::format("  if (proposition{}(x, t)) letter |= (W)1 << {};\n", i, i);
  }
  out += fmt::format("static W letter_of(X *x, W *t) {{\n  W letter = 0;\n{}  return letter;\n}}\n",
                     all);
  out += fmt::format(
      "static int evaluate(const W *row, W *letter) {{\n{}{}  W t[N + 1];\n"
      "  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n  *letter = 0;\n"
      "  if (_setjmp(x.failed) != 0) return 1;\n  *letter = letter_of(&x, t);\n  return 0;\n}}\n",
      spare_marks(), conditions_only());
}

void CProperties::check(std::string& out) const {
  std::string all = "1";
  std::string each;
  for (std::size_t i = 0; i < unit_.program.properties.size(); ++i) {
    const PropertyKind kind = unit_.program.properties[i].kind;
    if (kind == PropertyKind::assumption || !unit_.program.properties[i].condition) continue;
    const bool invariant = kind == PropertyKind::invariant;
    const std::uint32_t number = reported_number(unit_.program, i);
    const bool tried = is_met_by_some(unit_.program.properties[i]) &&
                       unit_.program.properties[i].header.instances() > 1;
    all += fmt::format(" && {}q{}(x, t)", invariant ? "" : "!", i);
    each += fmt::format(
        "  x.depth = 0;\n  if (_setjmp(x.failed) == 0) {{ if ({}q{}{}(&x, t)) *place++ = {}; }} "
        "else {{ {} }}\n",
        invariant ? "!" : "", i, tried ? "_tried" : "", number,
        invariant ? fmt::format("*place++ = {};", number) : "");
  }
  out += fmt::format("static int fine(X *x, W *t) {{ (void)x; (void)t; return {}; }}\n", all);
  // The function of the interface has no room for marks, so there is another one.
  out += unit_.observes() ? "__attribute__((visibility(\"default\"))) size_t "
                            "spillway_check_and_mark(const W *row, uint32_t *violated, uint8_t "
                            "*marks) {\n"
                          : "static size_t check(const W *row, uint32_t *violated) {\n";
  out += conditions_only();
  out +=
      "  W t[N + 1];\n  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n"
      "  if (_setjmp(x.failed) == 0 && fine(&x, t)) return 0;\n"
      "  uint32_t *volatile place = violated;\n" +
      each + "  return (size_t)(place - violated);\n}\n";
  if (unit_.observes())
    out += fmt::format(
        "static size_t check(const W *row, uint32_t *violated) {{\n{}  return "
        "spillway_check_and_mark(row, violated, marks);\n}}\n",
        spare_marks());
}

}  // namespace spillway::program
