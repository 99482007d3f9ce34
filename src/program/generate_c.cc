#include "program/generate_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "program/bags.h"
#include "program/c_function.h"
#include "program/c_prelude.h"
#include "program/c_shapes.h"
#include "program/execution.h"
#include "program/interpreter.h"
#include "program/layout.h"
#include "program/model_abi_text.h"
#include "program/walk.h"
#include "program/work.h"

namespace spillway::program {
namespace {

// The functions that a body or expression calls.
struct Calls : Visitor {
  using Visitor::operator();
  explicit Calls(std::size_t functions) : called(functions) {}
  void operator()(const Expr& expr) {
    if (expr.op == Op::call) called[expr.function] = true;
  }
  void operator()(const Statement& statement) {
    discards = discards || statement.what == Do::discard_unless;
  }

  std::vector<bool> called;
  bool discards = false;
};

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

bool is_sequence(const std::vector<Value>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1] + 1) return false;
  return true;
}

constexpr std::uint64_t kStack = std::uint64_t{2} << 20;  // the most bytes of local variables

class Generator {
 public:
  Generator(const Program& program, std::size_t many_rules)
      : program_(program),
        many_rules_(many_rules),
        layout_(program),
        instances_(program),
        bags_(packed_bags(program)),
        work_(program) {}

  std::string text() {
    examine_calls();
    std::string body;
    functions(body);
    properties(body);
    finish(body);
    for (std::size_t i = 0; i < program_.starts.size(); ++i)
      rule(program_.starts[i], fmt::format("s{}", i), i, instances_.first_of_start(i), body);
    rules(body);
    if (program_.failure_state) failure_state(body);
    std::string starts;
    for (std::size_t i = 0; i < program_.starts.size(); ++i)
      starts += fmt::format("  s{}(x, t);\n", i);
    explore("initial", starts, body);
    explore("successors", dispatch(), body);
    if (program_.accepting) accepting(body);
    check(body);
    table(body);
    std::string out(kModelAbiText);
    out += fmt::format("\n#define N {}\n#define DISCARDS {}\n#define LOOP_LIMIT UINT64_C({})\n",
                       layout_.words(), discards_ ? 1 : 0,
                       program_.loop_limit != 0 ? program_.loop_limit : kMostTurns);
    out += fmt::format("#define OBSERVES {}\n", observes() ? 1 : 0);
    out += kPrelude;
    if (!program_.marked_values.empty()) out += mark_value();
    out += tables_.text();
    return out + body;
  }

 private:
  bool observes() const { return program_.counters != 0; }

  std::string mark_value() const {
    std::string out = "static inline __attribute__((unused)) void mark_value(X *x, V v) {\n";
    for (const MarkedValues& some : program_.marked_values)
      out +=
          fmt::format("  if (v >= {0} && v <= {1}) MARK({2} + (v - {0}));\n",
                      c_number(some.interval.low), c_number(some.interval.high), some.first_mark);
    return out + "}\n";
  }

  // An X that executes nothing but conditions, and marks in `marks`.
  std::string conditions_only() const {
    return std::string("  X x;\n  x.depth = x.stopped = 0;\n") +
           (observes() ? "  x.marks = marks;\n" : "");
  }
  // Room for marks that nobody asks for.
  std::string spare_marks() const {
    return observes() ? fmt::format("  uint8_t marks[{}];\n", program_.marks + 1) : "";
  }

  // Finds the functions that can call themselves, and whether anything discards successors.
  void examine_calls() {
    const std::size_t count = program_.functions.size();
    std::vector<std::vector<bool>> reaches;
    for (const Function& function : program_.functions) {
      Calls calls(count);
      walk(function.body, calls);
      discards_ = discards_ || calls.discards;
      reaches.push_back(calls.called);
    }
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; reaches[i][k] && j < count; ++j)
          if (reaches[k][j]) reaches[i][j] = true;
    for (std::size_t i = 0; i < count; ++i) recursive_.push_back(reaches[i][i]);
    Calls calls(count);
    for (const auto* rules : {&program_.starts, &program_.rules})
      for (const Rule& rule : *rules) walk(rule.body, calls);
    discards_ = discards_ || calls.discards;
  }

  static std::string result_text(const Function& function) {
    return function.result != nullptr && function.result->is_scalar() ? "V" : "void";
  }
  static std::string signature(const Function& function, std::size_t number) {
    const bool aggregate = function.result != nullptr && !function.result->is_scalar();
    return fmt::format("static {} f{}(X *x, W *t{}{})", result_text(function), number,
                       aggregate ? ", W *result" : "", CFunction::parameters(function));
  }

  void functions(std::string& out) {
    for (std::size_t i = 0; i < program_.functions.size(); ++i)
      out += "__attribute__((unused)) " + signature(program_.functions[i], i) + ";\n";
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const Function& function = program_.functions[i];
      examine_locals(
          function.name, function.position, function.frame,
          recursive_[i] ? kStack / kDeepestCall : kStack / (program_.functions.size() + 1));
      CFunction c(program_, layout_, tables_, work_, function.frame);
      c.look_at(function.body);
      c.be_function(function.result, recursive_[i]);
      const std::string statements = c.statements(function.body);
      out += signature(function, i) + " {\n  (void)x; (void)t;\n";
      if (recursive_[i])
        out += fmt::format("  if (RARELY(x->depth >= {})) fail(x);\n  LOOK;\n  ++x->depth;\n",
                           kDeepestCall);
      out += c.entry(function) + c.slot_declarations(function.parameters) + c.temporaries() +
             statements;
      if (recursive_[i]) out += "--x->depth;\n";
      if (result_text(function) == "V") out += "return U;\n";
      out += "}\n";
    }
  }

  // Local variables live on the stack of a thread, which has a few megabytes.
  void examine_locals(const std::string& name, Position position, const Frame& frame,
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
              program_.name, position.line, position.column, name));
  }

  // Opens the loop over a parameter.  If its values are not consecutive, n<i> is the number of the
  // current one.
  static std::string parameter_loop(const Parameter& parameter, std::size_t number) {
    const std::vector<Value>& values = parameter.values;
    if (is_sequence(values))
      return fmt::format("for (V l{0} = {1}; l{0} <= {2}; ++l{0}) {{\n", parameter.slot,
                         c_number(values.front()), c_number(values.back()));
    std::string table;
    for (const Value value : values) table += c_number(value) + ",";
    return fmt::format(
        "static const V p{0}[] = {{{1}}};\nfor (uint32_t n{0} = 0; n{0} < {2}; ++n{0}) {{\nconst V "
        "l{3} = "
        "p{0}[n{0}];\n",
        number, table, values.size(), parameter.slot);
  }
  static std::string parameter_number(const Parameter& parameter, std::size_t number) {
    return is_sequence(parameter.values) ? fmt::format("(uint32_t)(l{} - {})", parameter.slot,
                                                       c_number(parameter.values.front()))
                                         : fmt::format("n{}", number);
  }

  // Which of the loops over the parameters poll for a request to stop, if the innermost body takes
  // this many steps.
  std::vector<bool> looking_loops(const Header& header, std::uint64_t steps) const {
    std::vector<bool> looks(header.parameters.size());
    for (std::size_t p = header.parameters.size(); p-- > 0;) {
      const std::uint64_t turns = header.parameters[p].values.size();
      looks[p] = work_.looks(turns, steps);
      steps = looks[p] ? 1 : steps * turns;
    }
    return looks;
  }

  // The code for one instance of a rule.
  std::uint64_t steps_of(const Rule& rule) {
    const Frame& frame = rule.header.frame;
    std::uint64_t steps = 2 * work_.of(rule.header.bindings, frame) + work_.of(rule.body, frame) +
                          work_.of_successor();
    if (rule.guard) steps += work_.of(*rule.guard, frame);
    for (const Property& property : program_.properties)
      if (property.kind == PropertyKind::assumption) steps += steps_of(property);
    return steps;
  }
  std::uint64_t steps_of(const Property& property) {
    const Frame& frame = property.header.frame;
    return work_.of(property.header.bindings, frame) + work_.of(*property.condition, frame);
  }

  // Declares the slots of a header's frame except the parameters, which are counters of loops.
  static std::string other_slots(const CFunction& c, const Header& header) {
    const std::string all = c.slot_declarations();
    std::vector<bool> parameter(header.frame.size());
    for (const Parameter& p : header.parameters) parameter[p.slot] = true;
    std::string out;
    std::size_t slot = 0;
    for (std::size_t from = 0; from < all.size(); ++slot) {
      const std::size_t end = all.find('\n', from) + 1;
      if (!parameter[slot]) out += all.substr(from, end - from);
      from = end;
    }
    return out;
  }

  void properties(std::string& out) {
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const Property& property = program_.properties[i];
      if (property.condition) this->property(property, fmt::format("q{}", i), out);
    }
  }

  static bool is_met_by_some(const Property& property) {
    return property.kind == PropertyKind::cover || property.kind == PropertyKind::reachable;
  }

  // q3() returns whether the property holds in all its instances, or in some; it fails if an
  // instance that it evaluates fails.  q3_tried() skips instances that fail, where one of several
  // is enough.
  void property(const Property& property, const std::string& name, std::string& out) {
    const bool some = is_met_by_some(property);
    const Header& header = property.header;
    std::string parameters;
    std::string arguments;
    std::string loops;
    const std::vector<bool> looks = looking_loops(header, steps_of(property));
    for (std::size_t p = 0; p < header.parameters.size(); ++p) {
      parameters += fmt::format(", const V l{}", header.parameters[p].slot);
      arguments += fmt::format(", l{}", header.parameters[p].slot);
      if (header.instances() != 0)
        loops += parameter_loop(header.parameters[p], p) + (looks[p] ? "LOOK;\n" : "");
    }
    const std::string ends(header.parameters.size(), '}');
    if (header.instances() != 0) {
      CFunction c(program_, layout_, tables_, work_, header.frame);
      c.look_at(header.bindings);
      c.look_at(*property.condition);
      const std::string bindings = c.statements(header.bindings);
      const std::string condition = c.truth(*property.condition);
      out += fmt::format("static inline int {}_one(X *x, W *t{}) {{\n  (void)x; (void)t;\n", name,
                         parameters);
      for (const Parameter& parameter : header.parameters)
        out += fmt::format("  (void)l{};\n", parameter.slot);
      out += other_slots(c, header) + c.temporaries() + bindings +
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

  std::size_t all_rules() const { return program_.starts.size() + program_.rules.size(); }

  // finish() is false if an assumption excludes the successor.
  void finish(std::string& out) const {
    out += "static int finish(X *x, W *t) {\n";
    std::size_t counter = 2 * all_rules();
    for (const PackedBag& bag : bags_)
      out += fmt::format("  sort_bag(t, {}, {}, {});\n", bag.bit, bag.slot_bits, bag.capacity);
    for (std::size_t i = 0; i < program_.properties.size(); ++i)
      if (program_.properties[i].kind == PropertyKind::assumption)
        out += fmt::format("  if (!q{}(x, t)) {{ x->left_out = 1; COUNT({}); return 0; }}\n", i,
                           counter++);
    out +=
        "  const size_t n = x->n++;\n"
        "  if (n >= x->out->capacity) return 1;\n"
        "  memcpy(x->out->rows + n * N, t, N * sizeof(W));\n"
        "  if (x->out->rules) x->out->rules[n] = x->rule;\n"
        "  return 1;\n}\n";
  }

  // Calls it and counts for a rule.  The compiler must not have to pass on its number.
  std::string finish_and_count(const std::string& rule) const {
    const bool assumes = std::ranges::any_of(program_.properties, [](const Property& property) {
      return property.kind == PropertyKind::assumption;
    });
    if (!assumes) return fmt::format("  finish(x, t);\n  COUNT({});\n", rule);
    return fmt::format("  if (finish(x, t)) COUNT({0}); else COUNT({1} + {0});\n", rule,
                       all_rules());
  }

  void rules(std::string& out) {
    const bool many = program_.rules.size() >= many_rules_;
    for (std::size_t i = 0; i < program_.rules.size(); ++i) {
      const Rule& one = program_.rules[i];
      std::string text;
      rule(one, "@", program_.starts.size() + i, instances_.first_of_rule(i), text);
      if (many && one.header.parameters.empty())
        shapes_.add(text);
      else
        shapes_.add_alone(text);
    }
    out += shapes_.text();
  }

  // `number` counts starts and rules.
  void rule(const Rule& rule, const std::string& name, std::size_t number, InstanceIndex first,
            std::string& out) {
    const Header& header = rule.header;
    if (header.instances() == 0) {
      out += fmt::format("static void {}(X *x, W *t) {{ (void)x; (void)t; }}\n", name);
      return;
    }
    body(rule, name, number, out);
    CFunction c(program_, layout_, tables_, work_, header.frame);
    c.look_at(header.bindings);
    if (rule.guard) c.look_at(*rule.guard);

    // A conjunct of the guard is evaluated as soon as all parameters are bound that it and its
    // predecessors need.  The order of evaluation, and so what fails first, stays the same.
    const std::size_t depth = header.parameters.size();
    std::vector<std::string> tests(depth + 1);
    const std::string bindings = c.statements(header.bindings);
    if (rule.guard) {
      std::vector<const Expr*> parts;
      conjuncts(*rule.guard, parts);
      std::size_t at = bindings.empty() ? 0 : depth;
      for (const Expr* part : parts) {
        std::vector<bool> used(header.frame.size());
        slots_of(*part, used);
        for (std::size_t p = at; p < depth; ++p)
          if (used[header.parameters[p].slot]) at = p + 1;
        tests[at] += fmt::format("if (!{}) {};\n", c.truth(*part), at == 0 ? "return" : "continue");
      }
    }
    const std::vector<bool> looks = looking_loops(header, steps_of(rule));
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
    std::string arguments;
    for (const Parameter& parameter : header.parameters)
      arguments += fmt::format(", l{}", parameter.slot);
    loops += fmt::format("{}_fire(x, t{});\n", name, arguments);
    for (std::size_t p = 0; p < depth; ++p) loops += "}\n";
    out += fmt::format("static void {}(X *x, W *t) {{\n{}{}{}}}\n", name, other_slots(c, header),
                       c.temporaries(), loops);
  }

  void body(const Rule& rule, const std::string& name, std::size_t number, std::string& out) {
    const Header& header = rule.header;
    examine_locals(header.name, header.position, header.frame, kStack);
    CFunction c(program_, layout_, tables_, work_, header.frame);
    c.look_at(header.bindings);
    c.look_at(rule.body);
    const std::string statements = c.statements(header.bindings) + c.statements(rule.body);
    std::string parameters;
    std::string arguments;
    for (const Parameter& parameter : header.parameters) {
      parameters += fmt::format(", const V l{}", parameter.slot);
      arguments += fmt::format(", l{}", parameter.slot);
    }
    out += fmt::format("static inline void {}_body(X *x, W *t{}) {{\n  (void)x; (void)t;\n", name,
                       parameters);
    for (const Parameter& parameter : header.parameters)
      out += fmt::format("  (void)l{};\n", parameter.slot);
    out += other_slots(c, header) + c.temporaries() + statements + "}\n";
    out += fmt::format("static {} void {}_fire(X *x, const W *from{}) {{\n",
                       discards_ ? "__attribute__((noinline))" : "inline", name, parameters);
    out += "  W t[N + 1];\n  memcpy(t, from, sizeof t);\n";
    // A number that rules of one shape do not share.
    const std::string mine = c_number(static_cast<Value>(number));
    if (discards_)
      out += fmt::format(
          "  if (_setjmp(x->discarded) != 0) {{ x->depth = 0; x->left_out = 1; COUNT({} + {}); "
          "return; }}\n",
          all_rules(), mine);
    out += fmt::format("  {}_body(x, t{});\n{}}}\n", name, arguments, finish_and_count(mine));
  }

  // A rule whose guard first compares a variable of the state with one value.
  struct Key {
    std::uint32_t variable;
    std::uint64_t stored;
  };
  static std::optional<Key> key_of(const Program& program, const Rule& rule) {
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
    return Key{place.root, stored_code(type, code)};
  }

  std::string call(std::size_t rule) const {
    const std::string before = shapes_.preparation(rule);
    const std::string name = shapes_.function(rule);
    if (!program_.failure_state) return fmt::format("  {}{}(x, t);\n", before, name);
    return fmt::format("  {}attempt(x, t, {});\n", before, name);
  }

  // Calls the rules in order.  A switch selects among neighbours whose guards first compare the
  // same variable.
  std::string dispatch() const {
    constexpr std::size_t kWorthASwitch = 4;
    std::string out;
    for (std::size_t i = 0; i < program_.rules.size();) {
      std::size_t end = i;
      std::map<std::uint64_t, std::string> cases;
      const std::optional<Key> first = key_of(program_, program_.rules[i]);
      for (std::optional<Key> key = first; key && key->variable == first->variable;) {
        cases[key->stored] += call(end++);
        key = end < program_.rules.size() ? key_of(program_, program_.rules[end]) : std::nullopt;
      }
      if (end < i + kWorthASwitch) {
        out += call(i++);
        continue;
      }
      const Type& type = *program_.variables[first->variable].type;
      // If it is undefined, all guards fail.  The first failure ends the call, unless there is a
      // failure state.
      if (!type.total)
        for (std::size_t rule = i; rule < (program_.failure_state ? end : i + 1); ++rule)
          cases[0] += call(rule);
      out += fmt::format("  switch (ldx(t, {}, {})) {{\n", layout_.variable_bit(first->variable),
                         bits_of(type));
      for (const auto& [code, calls] : cases)
        out += fmt::format("  case {}:\n{}  break;\n", code, calls);
      out += "  }\n";
      i = end;
    }
    return out;
  }

  // The state that replaces the successor of a rule that fails.
  void failure_state(std::string& out) const {
    for (const Rule& rule : program_.rules)
      if (!rule.header.parameters.empty())
        throw Error(Fault::internal,
                    "a program that goes on after failures has a rule with parameters");
    Interpreter interpreter(program_);
    out += "static const W failure_row[] = {";
    for (const Word word : interpreter.failure_row()) out += fmt::format("{:#x}u,", word);
    out += fmt::format("}};\n#define FIRST_INSTANCE {}\n#define FIRST_RULE {}\n",
                       instances_.first_of_rule(0), program_.starts.size());
    out +=
        "static __attribute__((noinline, cold)) void fell(X *x) {\n  x->depth = 0;\n  W t[N + "
        "1];\n"
        "  memcpy(t, failure_row, N * sizeof(W)); t[N] = 0;\n"
        // Such rules have one instance each, so they are numbered like their instances.
        + finish_and_count("((V)x->rule - FIRST_INSTANCE + FIRST_RULE)") +
        "}\n"
        // In a function of its own, because compilers are slow with many setjmp() in one function.
        "static __attribute__((noinline)) void attempt(X *x, W *t, void (*rule)(X *, W *)) {\n"
        "  if (x->stopped) return;\n"
        "  if (_setjmp(x->failed) == 0) rule(x, t); else if (!x->stopped) fell(x);\n}\n";
  }

  void accepting(std::string& out) {
    const Property& property = *program_.accepting;
    CFunction c(program_, layout_, tables_, work_, property.header.frame);
    c.look_at(*property.condition);
    const std::string condition = c.truth(*property.condition);
    out += fmt::format(
        "static int accepts(X *x, W *t) {{\n  (void)x; (void)t;\n{}{}  return {} != 0;\n}}\n"
        "static int accepting(const W *row) {{\n{}{}  W t[N + 1];\n"
        "  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n  return _setjmp(x.failed) == 0 && "
        "accepts(&x, t);\n}}\n",
        c.slot_declarations(), c.temporaries(), condition, spare_marks(), conditions_only());
  }

  // initial() and successors().
  void explore(const std::string& name, const std::string& calls, std::string& out) const {
    const bool from_row = name == "successors";
    out += fmt::format("static void {}_rules(X *x, W *t) {{\n  (void)x; (void)t;\n{}", name, calls);
    out += fmt::format("}}\nstatic size_t {}({}spillway_rows *out) {{\n", name,
                       from_row ? "const W *row, " : "");
    out +=
        "  X x;\n  x.out = out; x.n = 0; x.left_out = 0; x.rule = 0; x.property = "
        "SPILLWAY_NO_PROPERTY; x.depth = 0;\n"
        "  x.stopped = 0;\n "
        " W t[N + 1];\n";
    if (observes()) out += "  x.counters = ((const observed_rows *)out)->counters;\n";
    if (program_.marks != 0) out += "  x.marks = ((const observed_rows *)out)->marks;\n";
    out +=
        from_row ? "  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n" : "  memset(t, 0, sizeof t);\n";
    out += fmt::format(
        "  if (_setjmp(x.failed) == 0) {{\n    {}_rules(&x, t);\n  }} else if (x.stopped) {{\n    "
        "return 0;\n  }} else "
        "{{\n"
        "    out->failure = \"a rule fails\"; out->failure_rule = x.rule; out->failure_property = "
        "x.property;\n  }}\n"
        "  out->left_out = x.left_out;\n  return x.n;\n}}\n",
        name);
  }

  // Nearly always, all invariants hold and can be evaluated.  That is tried first, all at once.
  void check(std::string& out) const {
    std::string all = "1";
    std::string each;
    for (std::size_t i = 0; i < program_.properties.size(); ++i) {
      const PropertyKind kind = program_.properties[i].kind;
      if (kind == PropertyKind::assumption || !program_.properties[i].condition) continue;
      const bool invariant = kind == PropertyKind::invariant;
      const std::uint32_t number = reported_number(program_, i);
      const bool tried =
          is_met_by_some(program_.properties[i]) && program_.properties[i].header.instances() > 1;
      all += fmt::format(" && {}q{}(x, t)", invariant ? "" : "!", i);
      each += fmt::format(
          "  x.depth = 0;\n  if (_setjmp(x.failed) == 0) {{ if ({}q{}{}(&x, t)) *place++ = {}; }} "
          "else {{ {} }}\n",
          invariant ? "!" : "", i, tried ? "_tried" : "", number,
          invariant ? fmt::format("*place++ = {};", number) : "");
    }
    out += fmt::format("static int fine(X *x, W *t) {{ (void)x; (void)t; return {}; }}\n", all);
    // The function of the interface has no room for marks, so there is another one.
    out += observes() ? "__attribute__((visibility(\"default\"))) size_t "
                        "spillway_check_and_mark(const W *row, uint32_t *violated, uint8_t "
                        "*marks) {\n"
                      : "static size_t check(const W *row, uint32_t *violated) {\n";
    out += conditions_only();
    out +=
        "  W t[N + 1];\n  memcpy(t, row, N * sizeof(W)); t[N] = 0;\n"
        "  if (_setjmp(x.failed) == 0 && fine(&x, t)) return 0;\n"
        "  uint32_t *volatile place = violated;\n" +
        each + "  return (size_t)(place - violated);\n}\n";
    if (observes())
      out += fmt::format(
          "static size_t check(const W *row, uint32_t *violated) {{\n{}  return "
          "spillway_check_and_mark(row, violated, marks);\n}}\n",
          spare_marks());
  }

  void table(std::string& out) const {
    out += "static const spillway_property property[] = {";
    for (const Property& property : program_.properties) {
      switch (property.kind) {
        case PropertyKind::invariant: out += "{\"\", SPILLWAY_INVARIANT},"; break;
        case PropertyKind::assertion: out += "{\"\", SPILLWAY_ASSERTION},"; break;
        case PropertyKind::assumption: break;
        case PropertyKind::cover: out += "{\"\", SPILLWAY_COVER},"; break;
        case PropertyKind::reachable: out += "{\"\", SPILLWAY_REACHABLE},"; break;
      }
    }
    out += fmt::format(
        "{{0, 0}}}};\nstatic const spillway_model model = {{\n  SPILLWAY_MODEL_ABI, "
        "sizeof(spillway_model), \"\", N, "
        "{}, {}, 0, "
        "{}, {}, property,\n  initial, successors, check, {}, 0, 0, 0}};\n"
        "const spillway_model *spillway_model_get(uint32_t abi) {{ return abi == "
        "SPILLWAY_MODEL_ABI ? &model : 0; }}\n",
        layout_.bits(), instances_.count(), reported_number(program_, program_.properties.size()),
        static_cast<int>(program_.deadlock), program_.accepting ? "accepting" : "0");
  }

  const Program& program_;
  const std::size_t many_rules_;
  const Layout layout_;
  const Instances instances_;
  const std::vector<PackedBag> bags_;
  Work work_;
  CTables tables_;
  CShapes shapes_;
  std::vector<bool> recursive_;
  bool discards_ = false;
};

}  // namespace

std::string generate_c(const Program& program, std::size_t many_rules) {
  return Generator(program, many_rules).text();
}

}  // namespace spillway::program
