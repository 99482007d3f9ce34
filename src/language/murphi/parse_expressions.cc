#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/murphi/parser.h"

namespace spillway::murphi {
namespace {

using Operator = OperatorOf<Word, Form>;

// Chains, weakest binding first.
constexpr std::array<std::array<Operator, 2>, 3> kChains = {{
    {{{Word::bar, Form::or_}, {Word::bar_bar, Form::logical_or}}},
    {{{Word::caret, Form::xor_}, {Word::caret, Form::xor_}}},
    {{{Word::ampersand, Form::and_}, {Word::ampersand_ampersand, Form::logical_and}}},
}};

constexpr std::array<std::array<Operator, 3>, 3> kArithmetic = {{
    {{{Word::shift_left, Form::shift_left},
      {Word::shift_right, Form::shift_right},
      {Word::shift_right, Form::shift_right}}},
    {{{Word::plus, Form::add}, {Word::minus, Form::subtract}, {Word::minus, Form::subtract}}},
    {{{Word::star, Form::multiply}, {Word::slash, Form::divide}, {Word::percent, Form::remainder}}},
}};

constexpr std::array<Operator, 6> kComparisons = {{
    {Word::equal, Form::equal},
    {Word::unequal, Form::unequal},
    {Word::less, Form::less},
    {Word::less_equal, Form::less_equal},
    {Word::greater, Form::greater},
    {Word::greater_equal, Form::greater_equal},
}};

}  // namespace

std::uint32_t Parser::depth(const Quantifier& quantifier) {
  std::uint32_t result = quantifier.type == nullptr ? 0 : quantifier.type->depth;
  for (const ExpressionPtr* part : {&quantifier.from, &quantifier.to, &quantifier.by})
    if (*part != nullptr) result = std::max(result, (*part)->depth);
  return result;
}

ExpressionPtr Parser::proposition() {
  ExpressionPtr result = expression();
  if (at(Word::becomes)) refuse(now().position, "use '=' to compare; ':=' assigns");
  if (!at(Word::end_of_text)) refuse_here("an operator or the end of the expression");
  return result;
}

ExpressionPtr Parser::expression() {
  const Deeper deeper(*this);
  ExpressionPtr condition = implication();
  if (!at(Word::question)) return condition;
  ExpressionPtr result = node(Form::conditional, take().position);
  adopt(*result, std::move(condition));
  adopt(*result, expression());
  expect(Word::colon, "':' of the conditional expression");
  adopt(*result, expression());
  return result;
}

ExpressionPtr Parser::implication() {
  ExpressionPtr left = operators();
  if (!at(Word::implies)) return left;
  ExpressionPtr result = node(Form::implies, take().position);
  adopt(*result, std::move(left));
  adopt(*result, operators());
  if (at(Word::implies)) refuse(now().position, "'a -> b -> c' is ambiguous: use parentheses");
  return result;
}

ExpressionPtr Parser::operators() {
  const auto operand = [&] { return comparison(); };
  return chain(kChains, operand, [](const Expression&, Form) {});
}

ExpressionPtr Parser::comparison() {
  ExpressionPtr left = arithmetic();
  const Operator* sign = find_operator(kComparisons, now().word);
  if (sign == nullptr) return left;
  ExpressionPtr result = node(sign->form, take().position);
  adopt(*result, std::move(left));
  adopt(*result, arithmetic());
  if (find_operator(kComparisons, now().word) != nullptr)
    refuse(now().position,
           "comparisons cannot be chained: use parentheses, or '&' between two comparisons");
  return result;
}

ExpressionPtr Parser::arithmetic() {
  return binary(kArithmetic, [&] { return unary(); });
}

// '!' binds less tightly than comparisons, the others more tightly than anything else.
ExpressionPtr Parser::unary() {
  const Deeper deeper(*this);
  if (at(Word::exclamation)) {
    ExpressionPtr result = node(Form::logical_not, take().position);
    adopt(*result, comparison());
    return result;
  }
  if (at_any({Word::minus, Word::tilde, Word::plus})) {
    const Token sign = take();
    if (sign.word == Word::plus) return unary();
    ExpressionPtr result =
        node(sign.word == Word::minus ? Form::negate : Form::bit_not, sign.position);
    adopt(*result, unary());
    return result;
  }
  return primary();
}

ExpressionPtr Parser::primary() {
  switch (now().word) {
    case Word::open_round: {
      const Token open = take();
      ExpressionPtr inner = expression();
      inner->position.from = open.position.from;
      expect(Word::close_round, "')'");
      end_range(*inner);
      return inner;
    }
    case Word::number: {
      ExpressionPtr result = node(Form::number, now().position);
      result->value = take().value;
      return result;
    }
    case Word::true_:
    case Word::false_: {
      ExpressionPtr result = node(Form::truth, now().position);
      result->value = take().word == Word::true_ ? 1 : 0;
      return result;
    }
    case Word::forall_: return quantified(Form::for_all);
    case Word::exists_: return quantified(Form::exists);
    case Word::is_undefined: {
      ExpressionPtr result = node(Form::is_undefined, take().position);
      expect(Word::open_round, "'('");
      adopt(*result, expression());
      expect(Word::close_round, "')'");
      end_range(*result);
      return result;
    }
    case Word::is_member:
      if (ahead(1).word == Word::open_round) {
        ExpressionPtr result = node(Form::is_member, take().position);
        take();
        adopt(*result, expression());
        expect(Word::comma, "','");
        result->type = type();
        deepen(*result, result->type->depth);
        expect(Word::close_round, "')'");
        end_range(*result);
        return result;
      }
      break;
    case Word::multiset_count:
      if (ahead(1).word == Word::open_round) return multiset_count();
      break;
    default: break;
  }
  if (!at_name()) refuse_here("an expression");
  if (ahead(1).word != Word::open_round) return designator();
  ExpressionPtr result = node(Form::call, now().position);
  result->name = name("the name of a function");
  for (ExpressionPtr& argument : arguments()) adopt(*result, std::move(argument));
  end_range(*result);
  return result;
}

std::vector<ExpressionPtr> Parser::arguments() {
  std::vector<ExpressionPtr> all;
  expect(Word::open_round, "'('");
  if (!at(Word::close_round)) all = list([&] { return expression(); });
  expect(Word::close_round, "')' or ','");
  return all;
}

ExpressionPtr Parser::designator() {
  ExpressionPtr base = node(Form::name, now().position);
  base->name = name("the name of a variable");
  return steps(std::move(base));
}

ExpressionPtr Parser::steps(ExpressionPtr base) {
  for (;;) {
    if (at(Word::dot)) {
      take();
      ExpressionPtr next = node(Form::field, now().position);
      next->name = name("the name of a field");
      adopt(*next, std::move(base));
      base = std::move(next);
    } else if (at(Word::open_square)) {
      ExpressionPtr next = node(Form::element, take().position);
      adopt(*next, std::move(base));
      adopt(*next, expression());
      expect(Word::close_square, "']'");
      end_range(*next);
      base = std::move(next);
    } else {
      return base;
    }
  }
}

// Several quantifiers before one 'do' are nested.
ExpressionPtr Parser::quantified(Form form) {
  const Index first = index();
  const Token begin = take();
  std::vector<Quantifier> all = quantifiers();
  expect(Word::do_, "'do'");
  ExpressionPtr result = expression();
  skip_semicolons();
  end_of(form == Form::for_all ? Word::end_forall : Word::end_exists,
         form == Form::for_all ? "forall" : "exists", first);
  for (; !all.empty(); all.pop_back()) {
    ExpressionPtr outer = node(form, begin.position);
    outer->quantifier = std::make_unique<Quantifier>(std::move(all.back()));
    deepen(*outer, depth(*outer->quantifier));
    adopt(*outer, std::move(result));
    end_range(*outer);
    result = std::move(outer);
  }
  return result;
}

std::vector<Quantifier> Parser::quantifiers() {
  std::vector<Quantifier> list;
  do {
    list.push_back(quantifier());
    while (at_any({Word::semicolon, Word::comma})) take();
  } while (at_name());
  return list;
}

ExpressionPtr Parser::multiset_count() {
  ExpressionPtr result = node(Form::multiset_count, take().position);
  expect(Word::open_round, "'('");
  result->name = name("the name of an element");
  expect(Word::colon, "':'");
  adopt(*result, designator());
  expect(Word::comma, "','");
  adopt(*result, expression());
  expect(Word::close_round, "')'");
  end_range(*result);
  return result;
}

Quantifier Parser::quantifier() {
  Quantifier result;
  result.name = name("the name of a counter");
  if (accept(Word::colon)) {
    result.type = type();
    return result;
  }
  if (!accept(Word::becomes)) refuse_here("':' and a type, or ':=' and a range");
  result.from = expression();
  expect(Word::to_, "'to'");
  result.to = expression();
  if (accept(Word::by_)) result.by = expression();
  return result;
}

}  // namespace spillway::murphi
