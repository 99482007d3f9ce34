#include "ltl/formula/formula.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"

namespace spillway::ltl {

struct Formula::Node {
  Operator op = Operator::constant_true;
  bool boolean = true;
  std::uint32_t proposition = 0;
  std::uint32_t depth = 1;
  std::size_t hash = 0;
  // Of as many as the operator has.  Not Formula itself, whose default refers to a node.
  std::array<std::optional<Formula>, 2> operands;
};

namespace {

struct Spelling {
  std::string_view sign;
  int strength;  // binds tighter than smaller ones
};

// In the order of Operator.
constexpr std::array<Spelling, 16> kSpellings = {{{"true", 9},
                                                  {"false", 9},
                                                  {"", 9},
                                                  {"!", 8},
                                                  {"&", 5},
                                                  {"|", 3},
                                                  {"->", 2},
                                                  {"<->", 1},
                                                  {"xor", 4},
                                                  {"X", 8},
                                                  {"F", 8},
                                                  {"G", 8},
                                                  {"U", 6},
                                                  {"R", 6},
                                                  {"W", 6},
                                                  {"M", 6}}};

const Spelling& spelling(Operator op) { return kSpellings[static_cast<std::size_t>(op)]; }

std::size_t mixed(std::size_t hash, std::size_t with) {
  return (hash ^ (with + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2))) * 0xff51afd7ed558ccdU;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A name that parse() takes for a proposition and nothing else.
bool is_plain(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  const bool word =
      std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  constexpr std::array<std::string_view, 7> kWords = {"true", "false", "not",  "and",
                                                      "or",   "xor",   "imply"};
  const bool operators = name.find_first_not_of("XFGURWMVO") == std::string_view::npos;
  return word && !operators && std::ranges::find(kWords, name) == kWords.end() &&
         !name.starts_with("forall") && !name.starts_with("exists") && !name.starts_with("end");
}

std::string quoted_name(std::string_view name) {
  if (is_plain(name)) return std::string(name);
  if (name.find('"') == std::string_view::npos) return '"' + std::string(name) + '"';
  return '{' + std::string(name) + '}';
}

void print(const Formula& formula, std::span<const std::string> names, int around,
           std::string& to) {
  const Operator op = formula.op();
  const Spelling& as = spelling(op);
  if (op == Operator::proposition) {
    const std::uint32_t index = formula.proposition();
    to += index < names.size() ? quoted_name(names[index]) : "p" + std::to_string(index);
    return;
  }
  if (operands(op) == 0) {
    to += as.sign;
    return;
  }
  const bool enclosed = operands(op) == 2 && as.strength <= around;
  if (enclosed) to += '(';
  if (operands(op) == 1) {
    to += as.sign;
    if (op != Operator::negation) to += ' ';
    print(formula.left(), names, as.strength - 1, to);
  } else {
    // Chains of & and | need no parentheses; others are shown with them.
    const bool chain = op == Operator::conjunction || op == Operator::disjunction;
    print(formula.left(), names, chain ? as.strength - 1 : as.strength, to);
    (to += ' ').append(as.sign) += ' ';
    print(formula.right(), names, as.strength, to);
  }
  if (enclosed) to += ')';
}

}  // namespace

unsigned operands(Operator op) {
  if (op <= Operator::proposition) return 0;
  const bool one = op == Operator::negation || op == Operator::next || op == Operator::finally ||
                   op == Operator::globally;
  return one ? 1 : 2;
}

bool is_temporal(Operator op) { return op >= Operator::next; }

Formula::Formula() : Formula(constant(true)) {}

Formula Formula::constant(bool value) {
  static const auto make = [](Operator op) {
    auto node = std::make_shared<Node>();
    node->op = op;
    node->hash = static_cast<std::size_t>(op);
    return Formula(std::move(node));
  };
  static const Formula yes = make(Operator::constant_true), no = make(Operator::constant_false);
  return value ? yes : no;
}

Formula Formula::atom(std::uint32_t proposition) {
  auto node = std::make_shared<Node>();
  node->op = Operator::proposition;
  node->proposition = proposition;
  node->hash = mixed(static_cast<std::size_t>(Operator::proposition), proposition);
  return Formula(std::move(node));
}

Formula Formula::unary(Operator op, const Formula& operand) {
  SPILLWAY_CHECK(operands(op) == 1);
  auto node = std::make_shared<Node>();
  node->op = op;
  node->boolean = !is_temporal(op) && operand.is_boolean();
  node->depth = operand.depth() + 1;
  node->hash = mixed(static_cast<std::size_t>(op), operand.node_->hash);
  node->operands[0] = operand;
  return Formula(std::move(node));
}

Formula Formula::binary(Operator op, const Formula& left, const Formula& right) {
  SPILLWAY_CHECK(operands(op) == 2);
  auto node = std::make_shared<Node>();
  node->op = op;
  node->boolean = !is_temporal(op) && left.is_boolean() && right.is_boolean();
  node->depth = std::max(left.depth(), right.depth()) + 1;
  node->hash = mixed(mixed(static_cast<std::size_t>(op), left.node_->hash), right.node_->hash);
  node->operands = {left, right};
  return Formula(std::move(node));
}

Operator Formula::op() const { return node_->op; }
const Formula& Formula::left() const { return node_->operands[0].value(); }
const Formula& Formula::right() const { return node_->operands[1].value(); }
std::uint32_t Formula::proposition() const { return node_->proposition; }
std::uint32_t Formula::depth() const { return node_->depth; }
bool Formula::is_boolean() const { return node_->boolean; }

bool Formula::operator==(const Formula& other) const {
  if (node_ == other.node_) return true;
  if (node_->hash != other.node_->hash || op() != other.op() ||
      node_->proposition != other.node_->proposition)
    return false;
  const unsigned count = operands(op());
  return (count < 1 || left() == other.left()) && (count < 2 || right() == other.right());
}

Formula operator!(const Formula& formula) {
  if (formula.op() == Operator::negation) return formula.left();
  return Formula::unary(Operator::negation, formula);
}

std::string text(const Formula& formula, std::span<const std::string> names) {
  std::string result;
  print(formula, names, 0, result);
  return result;
}

std::optional<Formula> is_invariant(const Formula& formula) {
  const auto boolean = [](const Formula& p, bool negated) -> std::optional<Formula> {
    if (!p.is_boolean()) return std::nullopt;
    return negated ? !p : p;
  };
  switch (formula.op()) {
    case Operator::globally:
      if (const auto inner = is_invariant(formula.left())) return inner;
      return boolean(formula.left(), false);
    case Operator::negation:
      if (formula.left().op() == Operator::finally) return boolean(formula.left().left(), true);
      return std::nullopt;
    case Operator::conjunction: {
      const auto left = is_invariant(formula.left()), right = is_invariant(formula.right());
      if (!left || !right) return std::nullopt;
      return Formula::binary(Operator::conjunction, *left, *right);
    }
    default: return std::nullopt;
  }
}

}  // namespace spillway::ltl
