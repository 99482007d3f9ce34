// Formulas of linear temporal logic.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace spillway::ltl {

enum class Operator : std::uint8_t {
  constant_true,
  constant_false,
  proposition,
  negation,
  conjunction,
  disjunction,
  implication,
  equivalence,
  exclusive_or,
  next,
  finally,
  globally,
  until,
  release,
  weak_until,
  strong_release,
};

// How many operands an operator has.
unsigned operands(Operator op);
// X F G U R W M
bool is_temporal(Operator op);

// Functions that follow the structure of a formula recurse no deeper than this.
inline constexpr std::uint32_t kMostDepth = 1000;

// An immutable formula; copies share it.
class Formula {
 public:
  // true
  Formula();
  static Formula constant(bool value);
  static Formula atom(std::uint32_t proposition);
  // REQUIRES: the operator has as many operands.
  static Formula unary(Operator op, const Formula& operand);
  static Formula binary(Operator op, const Formula& left, const Formula& right);

  Operator op() const;
  // REQUIRES: the operator has operands; right(): two of them.
  const Formula& left() const;
  const Formula& right() const;
  // REQUIRES: op() is proposition.
  std::uint32_t proposition() const;

  // Of the longest chain of operators; 1 for a proposition.
  std::uint32_t depth() const;
  // No temporal operator occurs in it.
  bool is_boolean() const;
  // Equal for copies: a key for what is known about a formula while one of them lives.
  const void* identity() const { return node_.get(); }
  bool operator==(const Formula& other) const;

 private:
  struct Node;
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

Formula operator!(const Formula& formula);

// In a form that parse() reads as the same formula.  Names that are not plain words are put in
// braces or quotes.
std::string text(const Formula& formula, std::span<const std::string> names);

// p if the formula says that p, in which no temporal operator occurs, holds in every state: G p,
// !F !p, and conjunctions of such formulas.
std::optional<Formula> is_invariant(const Formula& formula);

}  // namespace spillway::ltl
