#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "language/dve/parser.h"
#include "language/limits.h"

namespace spillway::dve {
namespace {

struct Sign {
  Word word;
  Form form;
};

// Chains, weakest binding first.  All signs of a level have equal precedence, as in the first
// DiVinE.
constexpr std::array<Sign, 2> kLogical = {
    {{Word::or_, Form::logical_or}, {Word::and_, Form::logical_and}}};
constexpr std::array<Sign, 3> kBits = {
    {{Word::bar, Form::bit_or}, {Word::caret, Form::bit_xor}, {Word::ampersand, Form::bit_and}}};
constexpr std::array<std::span<const Sign>, 2> kChains = {kLogical, kBits};

constexpr std::array<Sign, 2> kEquality = {
    {{Word::equal, Form::equal}, {Word::unequal, Form::unequal}}};
constexpr std::array<Sign, 4> kOrder = {{{Word::less, Form::less},
                                         {Word::less_equal, Form::less_equal},
                                         {Word::greater, Form::greater},
                                         {Word::greater_equal, Form::greater_equal}}};
constexpr std::array<Sign, 2> kShifts = {
    {{Word::shift_left, Form::shift_left}, {Word::shift_right, Form::shift_right}}};
constexpr std::array<Sign, 2> kSums = {{{Word::plus, Form::add}, {Word::minus, Form::subtract}}};
constexpr std::array<Sign, 3> kProducts = {
    {{Word::star, Form::multiply}, {Word::slash, Form::divide}, {Word::percent, Form::remainder}}};
constexpr std::array<std::span<const Sign>, 5> kBinary = {kEquality, kOrder, kShifts, kSums,
                                                          kProducts};

const Sign* find(std::span<const Sign> signs, Word word) {
  const auto sign =
      std::find_if(signs.begin(), signs.end(), [&](const Sign& s) { return s.word == word; });
  return sign == signs.end() ? nullptr : &*sign;
}

}  // namespace

ExpressionPtr Parser::node(Form form, Position position) const {
  auto result = std::make_unique<Expression>();
  result->form = form;
  result->position = position;
  return result;
}

void Parser::adopt(Expression& parent, ExpressionPtr child) const {
  parent.depth = std::max(parent.depth, child->depth + 1);
  if (parent.depth > kDepthLimit)
    source_.give_up(parent.position,
                    fmt::format("more than {} levels of nesting in this expression", kDepthLimit));
  parent.position.from = std::min(parent.position.from, child->position.from);
  parent.position.to = std::max(parent.position.to, child->position.to);
  parent.operands.push_back(std::move(child));
}

std::vector<ExpressionPtr> Parser::expressions() {
  std::vector<ExpressionPtr> list;
  do list.push_back(expression());
  while (accept(Word::comma));
  return list;
}

ExpressionPtr Parser::expression() {
  const Deeper deeper(*this);
  ExpressionPtr result = chain(0);
  while (at(Word::imply_)) {
    ExpressionPtr next = node(Form::imply, take().position);
    adopt(*next, std::move(result));
    adopt(*next, chain(0));
    result = std::move(next);
  }
  return result;
}

ExpressionPtr Parser::chain(std::size_t level) {
  if (level == kChains.size()) return binary(0);
  ExpressionPtr result = chain(level + 1);
  bool mine = false;  // the result is a chain of this level that can be extended
  while (const Sign* sign = find(kChains[level], now().word)) {
    if (!mine || result->form != sign->form) {
      warn_about_level(*result, sign->form, now());
      ExpressionPtr next = node(sign->form, now().position);
      adopt(*next, std::move(result));
      result = std::move(next);
      mine = true;
    }
    take();
    adopt(*result, chain(level + 1));
  }
  return result;
}

// In the manual of DiVinE, 'and' binds more tightly than 'or', and '&' more tightly than '^' and
// '|'. The same holds in C and in the compiled tools.
void Parser::warn_about_level(const Expression& left, Form form, const Token& sign) {
  if (left.parenthesised) return;
  const bool differs =
      (form == Form::logical_and && left.form == Form::logical_or) ||
      (form == Form::bit_xor && left.form == Form::bit_or) ||
      (form == Form::bit_and && (left.form == Form::bit_or || left.form == Form::bit_xor));
  if (differs)
    warn(
        sign.position,
        fmt::format(
            "{} has the same precedence as the operator before it, unlike in the manual of DiVinE; "
            "use parentheses to make the meaning clear",
            quoted(sign.text)));
}

ExpressionPtr Parser::binary(std::size_t level) {
  if (level == kBinary.size()) return unary();
  ExpressionPtr result = binary(level + 1);
  while (const Sign* sign = find(kBinary[level], now().word)) {
    ExpressionPtr next = node(sign->form, take().position);
    adopt(*next, std::move(result));
    adopt(*next, binary(level + 1));
    result = std::move(next);
  }
  return result;
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
