#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "language/dve/parser.h"
#include "language/limits.h"

namespace spillway::dve {
namespace {

using Operator = OperatorOf<Word, Form>;

// Chains, weakest binding first.  All signs of a level have equal precedence, as in the first
// DiVinE.
constexpr std::array<Operator, 2> kLogical = {
    {{Word::or_, Form::logical_or}, {Word::and_, Form::logical_and}}};
constexpr std::array<Operator, 3> kBits = {
    {{Word::bar, Form::bit_or}, {Word::caret, Form::bit_xor}, {Word::ampersand, Form::bit_and}}};
constexpr std::array<std::span<const Operator>, 2> kChains = {kLogical, kBits};

constexpr std::array<Operator, 2> kEquality = {
    {{Word::equal, Form::equal}, {Word::unequal, Form::unequal}}};
constexpr std::array<Operator, 4> kOrder = {{{Word::less, Form::less},
                                             {Word::less_equal, Form::less_equal},
                                             {Word::greater, Form::greater},
                                             {Word::greater_equal, Form::greater_equal}}};
constexpr std::array<Operator, 2> kShifts = {
    {{Word::shift_left, Form::shift_left}, {Word::shift_right, Form::shift_right}}};
constexpr std::array<Operator, 2> kSums = {
    {{Word::plus, Form::add}, {Word::minus, Form::subtract}}};
constexpr std::array<Operator, 3> kProducts = {
    {{Word::star, Form::multiply}, {Word::slash, Form::divide}, {Word::percent, Form::remainder}}};
constexpr std::array<std::span<const Operator>, 5> kBinary = {kEquality, kOrder, kShifts, kSums,
                                                              kProducts};

}  // namespace

ExpressionPtr Parser::expression() {
  const Deeper deeper(*this);
  ExpressionPtr result = operators();
  while (at(Word::imply_)) {
    ExpressionPtr next = node(Form::imply, take().position);
    adopt(*next, std::move(result));
    adopt(*next, operators());
    result = std::move(next);
  }
  return result;
}

ExpressionPtr Parser::operators() {
  const auto unary_or_more = [&] { return unary(); };
  return chain(
      kChains, [&] { return binary(kBinary, unary_or_more); },
      [&](const Expression& left, Form form) { warn_about_level(left, form); });
}

// In the manual of DiVinE, 'and' binds more tightly than 'or', and '&' more tightly than '^' and
// '|'. The same holds in C and in the compiled tools.
void Parser::warn_about_level(const Expression& left, Form form) {
  if (left.parenthesised) return;
  const bool differs =
      (form == Form::logical_and && left.form == Form::logical_or) ||
      (form == Form::bit_xor && left.form == Form::bit_or) ||
      (form == Form::bit_and && (left.form == Form::bit_or || left.form == Form::bit_xor));
  if (differs)
    warn(
        now().position,
        fmt::format(
            "{} has the same precedence as the operator before it, unlike in the manual of DiVinE; "
            "use parentheses to make the meaning clear",
            quoted(now().text)));
}

ExpressionPtr Parser::unary() {
  const Deeper deeper(*this);
  if (at(Word::exclamation)) refuse(now().position, "use 'not' for negation; '!' sends");
  if (!at_any({Word::minus, Word::tilde, Word::not_})) return primary();
  const Token sign = take();
  ExpressionPtr result = node(sign.word == Word::minus   ? Form::negate
                              : sign.word == Word::tilde ? Form::bit_not
                                                         : Form::logical_not,
                              sign.position);
  adopt(*result, unary());
  return result;
}

ExpressionPtr Parser::primary() {
  switch (now().word) {
    case Word::open_round: {
      const Token open = take();
      ExpressionPtr inner = expression();
      expect(Word::close_round, "')'");
      inner->position.from = open.position.from;
      end_range(*inner);
      inner->parenthesised = true;
      return inner;
    }
    case Word::number:
    case Word::true_:
    case Word::false_: {
      ExpressionPtr result = node(Form::number, now().position);
      const Token token = take();
      result->value = token.word == Word::number ? token.value : token.word == Word::true_ ? 1 : 0;
      return result;
    }
    case Word::name: break;
    default: refuse_here("an expression");
  }
  if (ahead(1).word == Word::dot) {
    ExpressionPtr result = node(Form::state, now().position);
    result->process = name("the name of a process");
    take();
    result->name =
        name(in_proposition_ ? "the name of a state or variable" : "the name of a state");
    if (in_proposition_) take_index(*result);
    end_range(*result);
    return result;
  }
  if (ahead(1).word != Word::arrow) return designator();
  Name process = name("the name of a process");
  take();
  ExpressionPtr result = designator();
  result->position = process.position;
  end_range(*result);
  result->process = std::move(process);
  return result;
}

ExpressionPtr Parser::designator() {
  ExpressionPtr result = node(Form::variable, now().position);
  result->name = name("the name of a variable");
  take_index(*result);
  return result;
}

void Parser::take_index(Expression& designator) {
  if (!accept(Word::open_square)) return;
  adopt(designator, expression());
  expect(Word::close_square, "']'");
  end_range(designator);
}

ExpressionPtr Parser::proposition() {
  in_proposition_ = true;
  ExpressionPtr result = expression();
  if (at(Word::assign)) refuse(now().position, "use '==' to compare; '=' assigns");
  if (!at(Word::end_of_text)) refuse_here("an operator or the end of the expression");
  return result;
}

}  // namespace spillway::dve
