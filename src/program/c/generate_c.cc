#include "program/c/generate_c.h"

#include <fmt/format.h>

#include "program/c/c_prelude.h"
#include "program/c/c_properties.h"
#include "program/c/c_rules.h"
#include "program/c/c_symmetry.h"
#include "program/c/c_unit.h"
#include "program/c/model_abi_text.h"

namespace spillway::program {
namespace {

class Generator {
 public:
  Generator(const Program& program, std::size_t many_rules)
      : program_(program), unit_(program), properties_(unit_), rules_(unit_, many_rules) {}

  std::string text() {
    std::string body;
    functions(body);
    properties_.conditions(body);
    rules_.finish(body);
    rules_.starts(body);
    rules_.rules(body);
    if (program_.failure_state) rules_.failure_state(body);
    std::string starts;
    for (std::size_t i = 0; i < program_.starts.size(); ++i)
      starts += fmt::format("  s{}(x, t);\n", i);
    explore("initial", starts, body);
    explore("successors", rules_.dispatch(), body);
    if (program_.accepting) properties_.accepting(body);
    if (!program_.propositions.empty()) properties_.propositions(body);
    properties_.check(body);
    table(body);
    std::string out(kModelAbiText);
    out += fmt::format("\n#define N {}\n#define DISCARDS {}\n#define LOOP_LIMIT UINT64_C({})\n",
                       unit_.layout.words(), unit_.discards ? 1 : 0,
                       program_.loop_limit != 0 ? program_.loop_limit : kMostTurns);
    out += fmt::format("#define OBSERVES {}\n", unit_.observes() ? 1 : 0);
    out += kPrelude;
    if (!program_.marked_values.empty()) out += mark_value();
    out += unit_.tables.text();
    return out + body;
  }

 private:
  std::string mark_value() const {
    std::string out = "static inline __attribute__((unused)) void mark_value(X *x, V v) {\n";
    for (const MarkedValues& some : program_.marked_values)
      out +=
          fmt::format("  if (v >= {0} && v <= {1}) MARK({2} + (v - {0}));\n",
                      c_number(some.interval.low), c_number(some.interval.high), some.first_mark);
    return out + "}\n";
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
      unit_.examine_locals(function.name, function.position, function.frame,
                           unit_.recursive[i] ? CUnit::kStack / kDeepestCall
                                              : CUnit::kStack / (program_.functions.size() + 1));
      CFunction c = unit_.function(function.frame);
      c.look_at(function.body);
      c.be_function(function.result, unit_.recursive[i]);
      const std::string statements = c.statements(function.body);
      out += signature(function, i) + " {\n  (void)x; (void)t;\n";
      if (unit_.recursive[i])
        out += fmt::format("  if (RARELY(x->depth >= {})) fail(x);\n  LOOK;\n  ++x->depth;\n",
                           kDeepestCall);
      out += c.entry(function) + c.slot_declarations(function.parameters) + c.temporaries() +
             statements;
      if (unit_.recursive[i]) out += "--x->depth;\n";
      if (result_text(function) == "V") out += "return U;\n";
      out += "}\n";
    }
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
    if (unit_.observes()) out += "  x.counters = ((const observed_rows *)out)->counters;\n";
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

  void table(std::string& out) const {
    out += "static const spillway_property property[] = {";
    for (const Property& property : program_.properties) {
      switch (property.kind) {
        case PropertyKind::invariant: out += "{\"\", SPILLWAY_INVARIANT},"; break;
        case PropertyKind::assertion: out += "{\"\", SPILLWAY_ASSERTION},"; break;
        case PropertyKind::cover: out += "{\"\", SPILLWAY_COVER},"; break;
        case PropertyKind::reachable: out += "{\"\", SPILLWAY_REACHABLE},"; break;
        default: break;  // an assumption is no property of the model
      }
    }
    out += fmt::format(
        "{{0, 0}}}};\nstatic const spillway_model model = {{\n  SPILLWAY_MODEL_ABI, "
        "sizeof(spillway_model), \"\", N, "
        "{}, {}, 0, "
        "{}, {}, property,\n  initial, successors, check, {}, 0, 0, 0, 0, {}}};\n"
        "const spillway_model *spillway_model_get(uint32_t abi) {{ return abi == "
        "SPILLWAY_MODEL_ABI ? &model : 0; }}\n",
        unit_.layout.bits(), unit_.instances.count(),
        reported_number(program_, program_.properties.size()), static_cast<int>(program_.deadlock),
        program_.accepting ? "accepting" : "0", program_.propositions.empty() ? "0" : "evaluate");
  }

  const Program& program_;
  CUnit unit_;
  CProperties properties_;
  CRules rules_;
};

}  // namespace

std::string generate_c(const Program& program, std::size_t many_rules,
                       const SymmetricCells* symmetric) {
  std::string text = Generator(program, many_rules).text();
  return symmetric != nullptr ? text + symmetry_c(*symmetric) : text;
}

}  // namespace spillway::program
