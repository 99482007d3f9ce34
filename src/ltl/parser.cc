#include "ltl/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/printable.h"
#include "base/set_mask.h"
#include "base/suggest.h"

namespace spillway::ltl {
namespace {

struct Binary {
  std::string_view spelling;
  Operator op;
  int strength;
  bool to_the_right = false;  // a U b U c is a U (b U c)
};

constexpr std::array kBinary = {
    Binary{"<->", Operator::equivalence, 1},         Binary{"<=>", Operator::equivalence, 1},
    Binary{"<-->", Operator::equivalence, 1},        Binary{"->", Operator::implication, 2, true},
    Binary{"=>", Operator::implication, 2, true},    Binary{"==>", Operator::implication, 2, true},
    Binary{"imply", Operator::implication, 2, true}, Binary{"|", Operator::disjunction, 3},
    Binary{"||", Operator::disjunction, 3},          Binary{"\\/", Operator::disjunction, 3},
    Binary{"or", Operator::disjunction, 3},          Binary{"^", Operator::exclusive_or, 4},
    Binary{"xor", Operator::exclusive_or, 4},        Binary{"&", Operator::conjunction, 5},
    Binary{"&&", Operator::conjunction, 5},          Binary{"/\\", Operator::conjunction, 5},
    Binary{"and", Operator::conjunction, 5},         Binary{"U", Operator::until, 6, true},
    Binary{"R", Operator::release, 6, true},         Binary{"V", Operator::release, 6, true},
    Binary{"W", Operator::weak_until, 6, true},      Binary{"M", Operator::strong_release, 6, true},
};

const Binary* binary_operator(const Token& token) {
  if (token.kind != TokenKind::word && token.kind != TokenKind::sign) return nullptr;
  const auto found = std::ranges::find(kBinary, token.text, &Binary::spelling);
  return found == kBinary.end() ? nullptr : &*found;
}

// What people write for operators.
struct Meant {
  std::string_view written, meant;
};
constexpr std::array kMeant = {
    Meant{"until", "U"},   Meant{"release", "R"}, Meant{"releases", "R"}, Meant{"weak", "W"},
    Meant{"unless", "W"},  Meant{"always", "G"},  Meant{"globally", "G"}, Meant{"eventually", "F"},
    Meant{"finally", "F"}, Meant{"next", "X"},    Meant{"implies", "->"}, Meant{"iff", "<->"},
    Meant{"equiv", "<->"}, Meant{"u", "U"},       Meant{"r", "R"},        Meant{"w", "W"},
    Meant{"AND", "and"},   Meant{"OR", "or"},     Meant{"NOT", "not"},    Meant{"<>", "!="},
    Meant{":=", "="},
};

std::string meant(std::string_view written) {
  const auto found = std::ranges::find(kMeant, written, &Meant::written);
  if (found != kMeant.end()) return fmt::format("; did you mean '{}'?", found->meant);
  std::vector<std::string_view> known;
  for (const Meant& one : kMeant) known.push_back(one.written);
  for (const Binary& one : kBinary) known.push_back(one.spelling);
  const auto close = nearest(written, known);
  if (!close) return "";
  const auto again = std::ranges::find(kMeant, *close, &Meant::written);
  return fmt::format("; did you mean '{}'?", again != kMeant.end() ? again->meant : *close);
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end";
  if (token.kind == TokenKind::quoted) return fmt::format("\"{}\"", printable(token.text));
  if (token.kind == TokenKind::braced) return fmt::format("{{{}}}", printable(token.text));
  return fmt::format("'{}'", printable(token.text));
}

bool is_one_of(const Token& token, std::initializer_list<std::string_view> texts) {
  return token.kind != TokenKind::quoted && token.kind != TokenKind::braced &&
         std::ranges::find(texts, token.text) != texts.end();
}

bool is_keyword(const Token& token, std::initializer_list<std::string_view> words) {
  std::string lower(token.text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return token.kind == TokenKind::word && std::ranges::find(words, lower) != words.end();
}

}  // namespace

Formula Parser::parse() {
  if (now().kind == TokenKind::end) refuse(now(), "the formula is empty");
  Formula formula = binary(1);
  if (now().is_sign(")")) refuse(now(), "')' without '('");
  if (now().kind != TokenKind::end) refuse_operator();
  return formula;
}

void Parser::refuse(const Token& at, std::string message) const {
  throw BadFormula{at.from, std::max(at.to, at.from + 1), std::move(message)};
}

// What follows an operand is no operator.
void Parser::refuse_operator() const {
  refuse(now(), fmt::format("an operator was expected here, and not {}{}", shown(now()),
                            meant(now().text)));
}

// Formulas that are too deep are refused, so that nobody who walks through one needs much stack.
Formula Parser::checked(const Formula& formula, const Token& at) const {
  if (formula.depth() > kMostDepth)
    refuse(at, fmt::format("the formula is nested more than {} operators deep; split it, or use "
                           "parentheses to balance it",
                           kMostDepth));
  return formula;
}

Formula Parser::binary(int weakest) {
  if (++depth_ > kMostDepth)
    refuse(now(),
           fmt::format("parentheses and operators are nested more than {} deep", kMostDepth));
  Formula left = operand();
  for (;;) {
    const Token& at = now();
    const Binary* op = binary_operator(at);
    if (op == nullptr || op->strength < weakest) break;
    ++at_;
    if (!starts_operand(now())) refuse(at, fmt::format("'{}' has nothing on its right", at.text));
    const Formula right = binary(op->to_the_right ? op->strength : op->strength + 1);
    left = checked(Formula::binary(op->op, left, right), at);
  }
  --depth_;
  return left;
}

bool Parser::is_bound(const Token& token) const {
  return token.kind == TokenKind::word &&
         std::ranges::find(bound_names_, token.text) != bound_names_.end();
}

// Signs after which an atom goes on.
bool Parser::continues_atom(const Token& token) const {
  return token.kind == TokenKind::sign &&
         is_one_of(token, {"=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "<<",
                           ">>", ".", "[", "?"});
}

bool Parser::starts_operand(const Token& token) const {
  if (token.kind == TokenKind::end) return false;
  if (token.kind != TokenKind::sign) return is_bound(token) || binary_operator(token) == nullptr;
  return is_one_of(token, {"(", "!", "~", "[]", "<>", "()", "-"});
}

std::vector<Operator> Parser::prefixes() const {
  const Token& token = now();
  if (token.kind == TokenKind::sign) {
    if (token.text == "!" || token.text == "~") return {Operator::negation};
    if (token.text == "[]") return {Operator::globally};
    if (token.text == "<>") return {Operator::finally};
    if (token.text == "()") return {Operator::next};
    return {};
  }
  if (token.kind != TokenKind::word || is_bound(token)) return {};
  if (is_keyword(token, {"not"})) return {Operator::negation};
  if (token.text.find_first_not_of("XFG") != std::string_view::npos) return {};
  if (continues_atom(after())) return {};
  if (token.text.size() > 1 && !starts_operand(after())) return {};
  std::vector<Operator> found;
  for (const char c : token.text)
    found.push_back(c == 'X' ? Operator::next : c == 'F' ? Operator::finally : Operator::globally);
  return found;
}

Formula Parser::operand() {
  if (!prefixes().empty()) return prefixed();
  const Token& token = now();
  if (token.is_sign("(") && !is_atom_group()) return group();
  if (token.kind == TokenKind::end) refuse(token, "something is missing at the end");
  if (!starts_operand(token)) {
    if (token.is_sign(")")) refuse(token, "something is missing before ')'");
    if (const Binary* op = binary_operator(token))
      refuse(token, fmt::format("'{}' has nothing on its left{}", op->spelling,
                                token.kind == TokenKind::word
                                    ? fmt::format("; a variable of that name is written {{{}}}",
                                                  op->spelling)
                                    : ""));
    refuse(token, fmt::format("a formula cannot begin with {}", shown(token)));
  }
  return atom();
}

// A run of prefix operators, without recursion.
Formula Parser::prefixed() {
  std::vector<std::pair<Operator, Token>> operators;
  for (auto found = prefixes(); !found.empty(); found = prefixes()) {
    const Token token = now();
    for (const Operator op : found) operators.emplace_back(op, token);
    ++at_;
    if (!starts_operand(now()))
      refuse(token, fmt::format(
                        "'{}' has nothing on its right{}", token.text,
                        token.kind == TokenKind::word
                            ? fmt::format("; a variable of that name is written {{{}}}", token.text)
                            : ""));
  }
  Formula formula = operand();
  for (std::size_t i = operators.size(); i-- > 0;)
    formula = checked(Formula::unary(operators[i].first, formula), operators[i].second);
  return formula;
}

Formula Parser::group() {
  const Token opening = now();
  ++at_;
  if (now().is_sign(")")) refuse(opening, "nothing stands in these parentheses");
  Formula formula = binary(1);
  if (now().kind == TokenKind::end) refuse(opening, "'(' without ')'");
  if (!now().is_sign(")")) refuse_operator();
  ++at_;
  return formula;
}

// Whether a group in parentheses, at the current token, is the beginning of an atom.
bool Parser::is_atom_group() const { return continues_atom(tokens_[after_group(at_)]); }

std::size_t Parser::after_group(std::size_t at) const {
  std::vector<std::size_t> open;
  const std::size_t first = at;
  do {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::end)
      refuse(tokens_[open.empty() ? first : open.back()],
             tokens_[open.empty() ? first : open.back()].is_sign("[") ? "'[' without ']'"
                                                                      : "'(' without ')'");
    if (token.is_sign("(") || token.is_sign("[")) open.push_back(at);
    if (token.is_sign(")") || token.is_sign("]")) {
      const bool matches = tokens_[open.back()].is_sign("(") == token.is_sign(")");
      if (!matches)
        refuse(token, fmt::format("'{}' without '{}'", token.text, token.text == ")" ? "(" : "["));
      open.pop_back();
    }
    ++at;
  } while (!open.empty());
  return at;
}

// forall and exists, which end with a word of their own.
std::size_t Parser::after_quantifier(std::size_t at) const {
  std::size_t open = 0;
  const std::size_t first = at;
  do {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::end)
      refuse(tokens_[first],
             fmt::format("'{}' has no end: write end{}", tokens_[first].text, tokens_[first].text));
    if (is_keyword(token, {"forall", "exists"})) ++open;
    if (is_keyword(token, {"endforall", "endexists", "end"})) --open;
    ++at;
  } while (open != 0);
  return at;
}

// A value with its indices, members and arguments.
std::size_t Parser::after_primary(std::size_t at) const {
  while (is_one_of(tokens_[at], {"-", "!", "~"}) || is_keyword(tokens_[at], {"not"})) ++at;
  const Token& token = tokens_[at];
  if (is_keyword(token, {"forall", "exists"})) return after_quantifier(at);
  const bool word = token.kind == TokenKind::word;
  if (token.is_sign("("))
    at = after_group(at);
  else if (token.kind == TokenKind::end || token.kind == TokenKind::sign)
    refuse(tokens_[at - 1], fmt::format("'{}' has nothing on its right", tokens_[at - 1].text));
  else
    ++at;
  for (;;) {
    if (tokens_[at].is_sign("[") || (tokens_[at].is_sign("(") && word))
      at = after_group(at);
    else if (tokens_[at].is_sign("()") && word)
      ++at;
    else if (tokens_[at].is_sign(".") && tokens_[at + 1].kind == TokenKind::word)
      at += 2;
    else
      return at;
  }
}

// From ? to its colon, with whatever stands between them.
std::size_t Parser::after_choice(std::size_t at) const {
  std::size_t open = 0;
  const std::size_t first = at;
  do {
    if (tokens_[at].kind == TokenKind::end) refuse(tokens_[first], "'?' without ':'");
    if (tokens_[at].is_sign("?")) ++open;
    if (tokens_[at].is_sign(":")) --open;
    if (tokens_[at].is_sign("(") || tokens_[at].is_sign("["))
      at = after_group(at);
    else
      ++at;
  } while (open != 0);
  return at;
}

std::size_t Parser::after_atom(std::size_t at) const {
  at = after_primary(at);
  for (;;) {
    if (!continues_atom(tokens_[at])) return at;
    at = after_primary(tokens_[at].is_sign("?") ? after_choice(at) : at + 1);
  }
}

Formula Parser::atom() {
  const Token& first = now();
  if (first.kind == TokenKind::quoted || first.kind == TokenKind::braced) {
    std::string inside(first.text);
    inside.erase(0, inside.find_first_not_of(" \t\r\n"));
    inside.erase(inside.find_last_not_of(" \t\r\n") + 1);
    if (inside.empty()) refuse(first, "nothing stands between these");
    ++at_;
    return make_atom(inside, inside, first.from, first.to);
  }
  const std::size_t end = after_atom(at_);
  const Token& last = tokens_[end - 1];
  std::string key;
  for (std::size_t i = at_; i < end; ++i) {
    if (i != at_) key += ' ';
    key += text_.substr(tokens_[i].from, tokens_[i].to - tokens_[i].from);
  }
  at_ = end;
  if (key == "true" || key == "1") return Formula::constant(true);
  if (key == "false" || key == "0") return Formula::constant(false);
  return make_atom(std::move(key), std::string(text_.substr(first.from, last.to - first.from)),
                   first.from, last.to);
}

Formula Parser::make_atom(std::string key, std::string text, std::uint32_t from, std::uint32_t to) {
  const auto [entry, is_new] =
      numbers_.emplace(std::move(key), static_cast<std::uint32_t>(atoms_.size()));
  if (is_new) {
    if (atoms_.size() == kMostPropositions)
      throw BadFormula{from, to,
                       fmt::format("the formula has more than {} different propositions; split it "
                                   "into several formulas",
                                   kMostPropositions)};
    atoms_.push_back({std::move(text), from, to});
  }
  return Formula::atom(entry->second);
}

}  // namespace spillway::ltl
