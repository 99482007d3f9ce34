// Formulas in negation normal form, each stored once: what the simplification and the translation
// work on.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ltl/formula/formula.h"

namespace spillway::ltl {

using TermId = std::uint32_t;

// F a is true U a, and G a is false R a.
enum class TermKind : std::uint8_t {
  falsehood,
  truth,
  literal,
  negated_literal,
  all_of,  // of two or more, in order
  any_of,
  next,
  until,
  release,
  weak_until,
  strong_release,
};
TermKind dual(TermKind kind);

struct Term {
  TermKind kind;
  std::uint32_t proposition = 0;
  std::vector<TermId> parts;
  // Holds of a word if it holds of one of its suffixes: F a, GF a, ...
  bool eventual = false;
  // Holds of all suffixes of a word if it holds of the word: G a, FG a, ...
  bool universal = false;
};

class Terms {
 public:
  static constexpr TermId kFalse = 0, kTrue = 1;
  // So many distinct terms can be made; one more throws an Error.
  static constexpr std::size_t kMost = 200'000;

  Terms();
  const Term& operator[](TermId id) const { return terms_[id]; }
  std::size_t size() const { return terms_.size(); }

  TermId literal(std::uint32_t proposition, bool negated);
  // The term with exactly these parts; nothing is simplified.  REQUIRES: parts of all_of and any_of
  // are in order and distinct.
  TermId intern(TermKind kind, std::vector<TermId> parts, std::uint32_t proposition = 0);

  Formula formula(TermId id);

 private:
  Formula make_formula(const Term& term);
  void classify(Term& term) const;

  std::vector<Term> terms_;
  std::map<std::tuple<TermKind, std::uint32_t, std::vector<TermId>>, TermId> ids_;
  std::unordered_map<TermId, Formula> formulas_;
};

}  // namespace spillway::ltl
