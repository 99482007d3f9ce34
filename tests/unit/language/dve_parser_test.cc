// Trees of DVE text.
#include "language/dve/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "language/dve/lexer.h"
#include "unit/caught.h"

namespace spillway::dve {
namespace {

struct Parsed {
  ModelNode model;
  std::vector<Warning> warnings;
};

Parsed parse(std::string_view text) {
  Source source("some.dve", text);
  Parsed result;
  try {
    result.model = Parser(source, split(source), result.warnings).model();
  } catch (const GivenUp&) {
  }
  source.throw_errors();
  return result;
}

const char* sign(Form form) {
  switch (form) {
    case Form::negate: return "-";
    case Form::bit_not: return "~";
    case Form::logical_not: return "not";
    case Form::multiply: return "*";
    case Form::divide: return "/";
    case Form::remainder: return "%";
    case Form::add: return "+";
    case Form::subtract: return "-";
    case Form::shift_left: return "<<";
    case Form::shift_right: return ">>";
    case Form::less: return "<";
    case Form::less_equal: return "<=";
    case Form::greater: return ">";
    case Form::greater_equal: return ">=";
    case Form::equal: return "==";
    case Form::unequal: return "!=";
    case Form::bit_or: return "|";
    case Form::bit_xor: return "^";
    case Form::bit_and: return "&";
    case Form::logical_or: return "or";
    case Form::logical_and: return "and";
    case Form::imply: return "imply";
    default: return "";
  }
}

// With parentheses around everything that has operands.
std::string shown(const Expression& expression) {
  std::string name = expression.name.text;
  switch (expression.form) {
    case Form::number: return std::to_string(expression.value);
    case Form::state: return expression.process->text + "." + name;
    case Form::variable:
      if (expression.process) name = expression.process->text + "->" + name;
      return expression.operands.empty() ? name : name + "[" + shown(*expression.operands[0]) + "]";
    default: break;
  }
  if (expression.operands.size() == 1)
    return fmt::format("({} {})", sign(expression.form), shown(*expression.operands[0]));
  std::string all;
  for (const ExpressionPtr& operand : expression.operands)
    all += (all.empty() ? "" : fmt::format(" {} ", sign(expression.form))) + shown(*operand);
  return "(" + all + ")";
}

std::string process(const std::string& inside) {
  return "process P { state a, b; init a; " + inside + " } system async;";
}

Parsed parse_guard(const std::string& guard) {
  return parse(process("trans a -> b { guard " + guard + "; };"));
}
std::string shown_guard(const std::string& guard) {
  return shown(*parse_guard(guard).model.processes[0].transitions[0].guards[0]);
}

TEST(DveParser, OperatorsBindAsInTheFirstDivine) {
  EXPECT_EQ(shown_guard("a imply b imply c or d"), "((a imply b) imply (c or d))");
  EXPECT_EQ(shown_guard("a or b and c || d"), "(((a or b) and c) or d)");
  EXPECT_EQ(shown_guard("a | b & c ^ d | e | f"), "((((a | b) & c) ^ d) | e | f)");
  EXPECT_EQ(shown_guard("a & b == c < d << e + f * g"), "(a & (b == (c < (d << (e + (f * g))))))");
  EXPECT_EQ(shown_guard("a - b - c / d % e"), "((a - b) - ((c / d) % e))");
  EXPECT_EQ(shown_guard("not a == - b"), "((not a) == (- b))");
  EXPECT_EQ(shown_guard("not not ~-a"), "(not (not (~ (- a))))");
  EXPECT_EQ(shown_guard("a == b != c"), "((a == b) != c)");
  EXPECT_EQ(shown_guard("a and b && c"), "(a and b and c)");
  EXPECT_EQ(shown_guard("P.q and Q->v[i+1] > true"), "(P.q and (Q->v[(i + 1)] > 1))");
}

TEST(DveParser, WarnsWhereTheManualSaysSomethingElse) {
  EXPECT_EQ(parse_guard("a or b and c").warnings.size(), 1u);
  EXPECT_EQ(parse_guard("a | b & c").warnings.size(), 1u);
  EXPECT_EQ(parse_guard("a ^ b & c").warnings.size(), 1u);
  EXPECT_TRUE(parse_guard("(a or b) and c").warnings.empty());
  EXPECT_TRUE(parse_guard("a and b or c").warnings.empty());
  EXPECT_TRUE(parse_guard("a & b | c").warnings.empty());
}

TEST(DveParser, TransitionsMayLeaveOutWhereTheyBegin) {
  const Parsed parsed = parse(process("trans a -> b {}, -> a {}, b -> a {}, -> b {};"));
  const auto& transitions = parsed.model.processes[0].transitions;
  ASSERT_EQ(transitions.size(), 4u);
  EXPECT_EQ(transitions[1].from.text, "a");
  EXPECT_EQ(transitions[3].from.text, "b");
  EXPECT_TRUE(caught([] { parse(process("trans -> b {};")); }));
}

TEST(DveParser, SeparatorsOfTransitionsMayBeMissing) {
  EXPECT_EQ(parse(process("trans a -> b {} b -> a {}")).model.processes[0].transitions.size(), 2u);
  EXPECT_EQ(parse(process("trans a -> b {}, b -> a {},;")).model.processes[0].transitions.size(),
            2u);
  EXPECT_EQ(parse(process("trans ;")).model.processes[0].transitions.size(), 0u);
}

TEST(DveParser, SeveralGuardsAndSections) {
  const Parsed parsed =
      parse(process("trans a -> b { guard 1, 2 or 3; sync c!{1, x}; effect x = 1, y[2] = 3; };"));
  const TransitionNode& transition = parsed.model.processes[0].transitions[0];
  EXPECT_EQ(transition.guards.size(), 2u);
  EXPECT_TRUE(transition.sync->sends);
  EXPECT_EQ(transition.sync->values.size(), 2u);
  EXPECT_EQ(transition.effects.size(), 2u);
}

TEST(DveParser, Declarations) {
  const Parsed parsed = parse(
      "const byte K = 3; int x = -K, a[3] = {1, K}; channel c, d; channel {byte, int} e[2], f[0];\n"
      "process P { byte l; state a, b; commit b; init a; accept buchi b; assert b: l, a: 1; } "
      "system sync property P;");
  EXPECT_EQ(parsed.model.variables.size(), 3u);
  EXPECT_TRUE(parsed.model.variables[0].constant);
  EXPECT_EQ(parsed.model.variables[2].values.size(), 2u);
  ASSERT_EQ(parsed.model.channels.size(), 4u);
  EXPECT_EQ(parsed.model.channels[2].size, 2);
  EXPECT_EQ(parsed.model.channels[3].types.size(), 2u);
  const ProcessNode& node = parsed.model.processes[0];
  EXPECT_EQ(node.committed.size(), 1u);
  EXPECT_EQ(node.accepting.size(), 1u);
  EXPECT_EQ(node.asserts.size(), 2u);
  EXPECT_TRUE(parsed.model.synchronous);
  EXPECT_EQ(parsed.model.property->text, "P");
}

TEST(DveParser, APropertyProcessMayBeDeclaredAsOne) {
  EXPECT_EQ(
      parse("process P { state a; init a; } property process Q { state a; init a; } system async;")
          .model.property->text,
      "Q");
}

TEST(DveParser, DeepTextIsRefused) {
  const std::string open(100000, '('), nots(100000, '~');
  EXPECT_TRUE(caught([&] { parse_guard(open); }));
  EXPECT_TRUE(caught([&] { parse_guard(nots + "1"); }));
  std::string sum = "1", chain = "1";
  for (int i = 0; i < 100000; ++i) {
    sum += "+1";
    chain += " and 1";
  }
  EXPECT_TRUE(caught([&] { parse_guard(sum); }));
  EXPECT_FALSE(caught([&] { parse_guard(chain); }));
}

}  // namespace
}  // namespace spillway::dve
