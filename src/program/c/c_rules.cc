#include "program/c/c_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "program/c/c_header.h"
#include "program/interpreter.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

// The slots that an expression reads.
struct SlotsRead : Visitor {
  using Visitor::operator();
  explicit SlotsRead(std::vector<bool>& slots) : used(slots) {}
  void operator()(const Expr& expr) {
    if (expr.op == Op::slot) used[expr.slot] = true;
  }
  void operator()(const Place& place) {
    if (!place.in_state) used[place.root] = true;
  }
  std::vector<bool>& used;
};

void slots_of(const Expr& expr, std::vector<bool>& used) {
  SlotsRead slots(used);
  walk(expr, slots);
}

void conjuncts(const Expr& expr, std::vector<const Expr*>& out) {
  if (expr.op != Op::logical_and) return out.push_back(&expr);
  conjuncts(*expr.operands[0], out);
  conjuncts(*expr.operands[1], out);
}

// A rule whose guard first compares a variable of the state with one value.
struct Key {
  std::uint32_t variable;
  std::uint64_t stored;
  bool fails;  // if the variable is undefined
  bool is_like(const Key& other) const {
    return variable == other.variable && fails == other.fails;
  }
};
std::optional<Key> key_of(const Program& program, const Rule& rule) {
  if (!rule.guard || !rule.header.bindings.empty()) return std::nullopt;
  std::vector<const Expr*> parts;
  conjuncts(*rule.guard, parts);
  const Expr& first = *parts.front();
  if (first.op != Op::equal || first.operands[0]->op != Op::read ||
      first.operands[1]->op != Op::literal)
    return std::nullopt;
  const Place& place = *first.operands[0]->place;
  if (!place.in_state || !place.steps.empty()) return std::nullopt;
  const Type& type = *program.variables[place.root].type;
  const std::uint64_t code = type.domain.code(first.operands[1]->value);
  if (code == 0) return std::nullopt;
  return Key{place.root, stored_code(type, code),
             !type.total && !may_be_undefined(*first.operands[0])};
}

// Whether words with these bits have changed.
std::string changed(std::uint64_t begin, std::uint64_t end) {
  return fmt::format("  if (changed(t, from, {}, {})) ", begin / 64, (end + 63) / 64 - begin / 64);
}

}  // namespace

// Most rules change few bags, or none.
std::string CRules::sort_changed_bags() const {
  std::string out;
  auto bag = bags_.begin();
  for (std::size_t v = 0; v < unit_.program.variables.size(); ++v) {
    const Type& type = *unit_.program.variables[v].type;
    const std::uint64_t begin = unit_.layout.variable_bit(v), end = begin + bits_of(type);
    std::string inside;
    for (; bag != bags_.end() && begin <= bag->bit && bag->bit < end; ++bag)
      inside += changed(bag->bit, bag->bit + bag->slot_bits * bag->capacity) +
                fmt::format("sort_bag(t, {}, {}, {});\n", bag->bit, bag->slot_bits, bag->capacity);
    if (!inside.empty()) out += changed(begin, end) + "{\n" + inside + "}\n";
  }
  return out;
}

void CRules::finish(std::string& out) const {
  out +=
      "/* The bags of `from` are sorted. */\n"
      "static int finish(X *x, W *t, const W *from) {\n  (void)from;\n";
  std::size_t counter = 2 * unit_.all_rules();
  out += sort_changed_bags();
  for (std::size_t i = 0; i < unit_.program.properties.size(); ++i)
    if (unit_.program.properties[i].kind == PropertyKind::assumption)
      out += fmt::format("  if (!q{}(x, t)) {{ x->left_out = 1; COUNT({}); return 0; }}\n", i,
                         counter++);
  out +=
      "  const size_t n = x->n++;\n"
      "  if (n >= x->out->capacity) return 1;\n"
      "  memcpy(x->out->rows + n * N, t, N * sizeof(W));\n"
      "  if (x->out->rules) x->out->rules[n] = x->rule;\n"
      "  return 1;\n}\n";
}

std::string CRules::finish_and_count(const std::string& rule, const std::string& from) const {
  const bool assumes = std::ranges::any_of(unit_.program.properties, [](const Property& property) {
    return property.kind == PropertyKind::assumption;
  });
  if (!assumes) return fmt::format("  finish(x, t, {});\n  COUNT({});\n", from, rule);
  return fmt::format("  if (finish(x, t, {2})) COUNT({0}); else COUNT({1} + {0});\n", rule,
                     unit_.all_rules(), from);
}

void CRules::starts(std::string& out) {
  for (std::size_t i = 0; i < unit_.program.starts.size(); ++i)
    rule(unit_.program.starts[i], fmt::format("s{}", i), i, unit_.instances.first_of_start(i), out);
}

void CRules::rules(std::string& out) {
  const bool many = unit_.program.rules.size() >= many_rules_;
  for (std::size_t i = 0; i < unit_.program.rules.size(); ++i) {
    const Rule& one = unit_.program.rules[i];
    std::string text;
    rule(one, "@", unit_.program.starts.size() + i, unit_.instances.first_of_rule(i), text);
    if (many && one.header.parameters.empty())
      shapes_.add(text);
    else
      shapes_.add_alone(text);
  }
  out += shapes_.text();
}

std::uint64_t CRules::steps_of(const Rule& rule) {
  const Frame& frame = rule.header.frame;
  std::uint64_t steps = 2 * unit_.work.of(rule.header.bindings, frame) +
                        unit_.work.of(rule.body, frame) + unit_.work.of_successor();
  if (rule.guard) steps += unit_.work.of(*rule.guard, frame);
  for (const Property& property : unit_.program.properties)
    if (property.kind == PropertyKind::assumption) steps += unit_.steps_of(property);
  return steps;
}

void CRules::rule(const Rule& rule, const std::string& name, std::size_t number,
                  InstanceIndex first, std::string& out) {
  const Header& header = rule.header;
  if (header.instances() == 0) {
    out += fmt::format("static void {}(X *x, W *t) {{ (void)x; (void)t; }}\n", name);
    return;
  }
  std::vector<const Expr*> parts;
  if (rule.guard) conjuncts(*rule.guard, parts);
  const std::size_t early = early_parts(rule, parts);
  if (early < parts.size()) allows(rule, name, std::span(parts).subspan(early), out);
  body(rule, name, number, early < parts.size(), out);
  CFunction c = unit_.function(header.frame);
  c.look_at(header.bindings);
  if (rule.guard) c.look_at(*rule.guard);

  // A conjunct of the guard is evaluated as soon as all parameters are bound that it and its
  // predecessors need.  The order of evaluation, and so what fails first, stays the same.
  const std::size_t depth = header.parameters.size();
  std::vector<std::string> tests(depth + 1);
  const std::string bindings =
      unit_.discarding.may(header.bindings) ? "" : c.statements(header.bindings);
  std::size_t at = bindings.empty() ? 0 : depth;
  for (const Expr* part : std::span(parts).first(early)) {
    std::vector<bool> used(header.frame.size());
    slots_of(*part, used);
    for (std::size_t p = at; p < depth; ++p)
      if (used[header.parameters[p].slot]) at = p + 1;
    tests[at] += fmt::format("if (!{}) {};\n", c.truth(*part), at == 0 ? "return" : "continue");
  }
  const std::vector<bool> looks = looking_loops(header, steps_of(rule), unit_.work);
  std::string loops;
  std::uint64_t stride = header.instances();
  std::string index = fmt::format("(uint32_t){}", c_number(first));
  for (std::size_t p = 0; p <= depth; ++p) {
    if (p > 0) {
      const Parameter& parameter = header.parameters[p - 1];
      stride /= parameter.values.size();
      loops += parameter_loop(parameter, p - 1);
      if (looks[p - 1]) loops += "LOOK;\n";
      index += fmt::format(" + {} * {}u", parameter_number(parameter, p - 1), stride);
    }
    if (p == depth || !tests[p].empty()) loops += fmt::format("x->rule = {};\n", index);
    if (p == depth) loops += bindings;
    loops += tests[p];
  }
  loops += fmt::format("{}_fire(x, t{});\n", name, actual_parameters(header));
  for (std::size_t p = 0; p < depth; ++p) loops += "}\n";
  out += fmt::format("static void {}(X *x, W *t) {{\n{}{}{}}}\n", name, other_slots(c, header),
                     c.temporaries(), loops);
}

// What may discard is evaluated in NAME_fire() only, where discard() leads back to, and for each
// instance: each of them is counted.
std::size_t CRules::early_parts(const Rule& rule, const std::vector<const Expr*>& parts) const {
  if (unit_.discarding.may(rule.header.bindings)) return 0;
  const auto late =
      std::ranges::find_if(parts, [this](const Expr* part) { return unit_.discarding.may(*part); });
  return static_cast<std::size_t>(late - parts.begin());
}

void CRules::allows(const Rule& rule, const std::string& name, std::span<const Expr* const> late,
                    std::string& out) {
  const Header& header = rule.header;
  CFunction c = unit_.function(header.frame);
  c.look_at(header.bindings);
  for (const Expr* part : late) c.look_at(*part);
  std::string tests = c.statements(header.bindings);
  for (const Expr* part : late) tests += fmt::format("if (!{}) return 0;\n", c.truth(*part));
  out += fmt::format("static inline int {}_allows(X *x, W *t{}) {{\n  (void)x; (void)t;\n", name,
                     formal_parameters(header));
  out += unused_parameters(header) + other_slots(c, header) + c.temporaries() + tests +
         "return 1;\n}\n";
}

void CRules::body(const Rule& rule, const std::string& name, std::size_t number, bool asks,
                  std::string& out) {
  const Header& header = rule.header;
  unit_.examine_locals(header.name, header.position, header.frame);
  CFunction c = unit_.function(header.frame);
  c.look_at(header.bindings);
  c.look_at(rule.body);
  const std::string statements = c.statements(header.bindings) + c.statements(rule.body);
  const std::string parameters = formal_parameters(header);
  const std::string arguments = actual_parameters(header);
  out += fmt::format("static inline void {}_body(X *x, W *t{}) {{\n  (void)x; (void)t;\n", name,
                     parameters);
  out += unused_parameters(header) + other_slots(c, header) + c.temporaries() + statements + "}\n";
  out += fmt::format("static {} void {}_fire(X *x, const W *from{}) {{\n",
                     unit_.discards ? "__attribute__((noinline))" : "inline", name, parameters);
  out += "  W t[N + 1];\n  memcpy(t, from, sizeof t);\n";
  // A number that rules of one shape do not share.
  const std::string mine = c_number(static_cast<Value>(number));
  if (unit_.discards)
    out += fmt::format(
        "  if (_setjmp(x->discarded) != 0) {{ x->depth = 0; x->left_out = 1; COUNT({} + {}); "
        "return; }}\n",
        unit_.all_rules(), mine);
  if (asks) out += fmt::format("  if (!{}_allows(x, t{})) return;\n", name, arguments);
  out += fmt::format("  {}_body(x, t{});\n{}}}\n", name, arguments, finish_and_count(mine, "from"));
}

std::string CRules::call(std::size_t rule) const {
  const std::string before = shapes_.preparation(rule);
  const std::string name = shapes_.function(rule);
  if (!unit_.program.failure_state) return fmt::format("  {}{}(x, t);\n", before, name);
  return fmt::format("  {}attempt(x, t, {});\n", before, name);
}

std::string CRules::dispatch() const {
  constexpr std::size_t kWorthASwitch = 4;
  std::string out;
  for (std::size_t i = 0; i < unit_.program.rules.size();) {
    std::size_t end = i;
    std::map<std::uint64_t, std::string> cases;
    const std::optional<Key> first = key_of(unit_.program, unit_.program.rules[i]);
    for (std::optional<Key> key = first; key && key->is_like(*first);) {
      cases[key->stored] += call(end++);
      key = end < unit_.program.rules.size() ? key_of(unit_.program, unit_.program.rules[end])
                                             : std::nullopt;
    }
    if (end < i + kWorthASwitch) {
      out += call(i++);
      continue;
    }
    const Type& type = *unit_.program.variables[first->variable].type;
    // If it is undefined, all guards fail or are false.  The first failure ends the call, unless there is a
    // failure state.
    if (first->fails)
      for (std::size_t rule = i; rule < (unit_.program.failure_state ? end : i + 1); ++rule)
        cases[0] += call(rule);
    out += fmt::format("  switch (ldx(t, {}, {})) {{\n", unit_.layout.variable_bit(first->variable),
                       bits_of(type));
    for (const auto& [code, calls] : cases)
      out += fmt::format("  case {}:\n{}  break;\n", code, calls);
    out += "  }\n";
    i = end;
  }
  return out;
}

void CRules::failure_state(std::string& out) const {
  for (const Rule& rule : unit_.program.rules)
    if (!rule.header.parameters.empty())
      throw Error(Fault::internal,
                  "a program that goes on after failures has a rule with parameters");
  Interpreter interpreter(unit_.program);
  out += "static const W failure_row[] = {";
  for (const Word word : interpreter.failure_row()) out += fmt::format("{:#x}u,", word);
  out += fmt::format("}};\n#define FIRST_INSTANCE {}\n#define FIRST_RULE {}\n",
                     unit_.instances.first_of_rule(0), unit_.program.starts.size());
  out +=
      "static __attribute__((noinline, cold)) void fell(X *x) {\n  x->depth = 0;\n  W t[N + "
      "1];\n"
      "  memcpy(t, failure_row, N * sizeof(W)); t[N] = 0;\n"
      // Such rules have one instance each, so they are numbered like their instances.
      + finish_and_count("((V)x->rule - FIRST_INSTANCE + FIRST_RULE)", "failure_row") +
      "}\n"
      // In a function of its own, because compilers are slow with many setjmp() in one function.
      "static __attribute__((noinline)) void attempt(X *x, W *t, void (*rule)(X *, W *)) {\n"
      "  if (x->stopped) return;\n"
      "  if (_setjmp(x->failed) == 0) rule(x, t); else if (!x->stopped) fell(x);\n}\n";
}

}  // namespace spillway::program
