// Makes terms, and replaces them by simpler ones that mean the same.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "ltl/formula/implications.h"
#include "ltl/formula/terms.h"

namespace spillway::ltl {

// Every rule has a dual one, in which true and false, and and or, U and R, W and M, F and G change
// places.  The functions are written for `any_of`, U and W; a Sense says which of the two is meant.
enum class Sense : bool { plain, dual };

class Rewriter {
 public:
  // `terms` must outlive this object.  Without `simplifying`, formulas keep their form, except that
  // constants disappear.
  Rewriter(Terms& terms, bool simplifying)
      : terms_(terms), implications_(terms), simplifying_(simplifying) {}

  // The formula or its negation.
  TermId convert(const Formula& formula, bool negated);

 private:
  TermId top(Sense sense) const { return sense == Sense::plain ? Terms::kTrue : Terms::kFalse; }
  TermId bottom(Sense sense) const { return top(other(sense)); }
  static Sense other(Sense sense) { return sense == Sense::plain ? Sense::dual : Sense::plain; }
  static TermKind kind(Sense sense, TermKind plain) {
    return sense == Sense::plain ? plain : dual(plain);
  }
  bool is(TermId id, Sense sense, TermKind plain) const {
    return terms_[id].kind == kind(sense, plain);
  }
  bool eventual(Sense sense, TermId id) const {
    return sense == Sense::plain ? terms_[id].eventual : terms_[id].universal;
  }
  bool implies(Sense sense, TermId a, TermId b) {
    return sense == Sense::plain ? implications_.implies(a, b) : implications_.implies(b, a);
  }

  TermId negation(TermId id);
  TermId next(TermId a);
  // The disjunction.
  TermId join(Sense sense, std::vector<TermId> parts);
  TermId meet(Sense sense, std::vector<TermId> parts) {
    return join(other(sense), std::move(parts));
  }
  bool gather(Sense sense, TermId id, std::vector<TermId>& into) const;
  bool drop_implied(Sense sense, std::vector<TermId>& parts);
  bool combine(Sense sense, std::vector<TermId>& parts);
  TermId combined(Sense sense, TermId a, TermId b);
  TermId until(Sense sense, TermId a, TermId b);
  TermId weak_until(Sense sense, TermId a, TermId b);
  TermId eventually(Sense sense, TermId a) { return until(sense, top(sense), a); }
  TermId eventually_of(Sense sense, TermId b);
  TermId shorter_until(Sense sense, TermKind plain, TermId a, TermId b);
  TermId without_implied(Sense sense, TermId a, TermId b);
  std::pair<std::vector<TermId>, std::vector<TermId>> split_suspendable(TermId id) const;

  TermId convert_new(const Formula& formula, bool negated);
  TermId convert_temporal(const Formula& formula, bool negated);

  static constexpr TermId kNone = UINT32_MAX;

  Terms& terms_;
  Implications implications_;
  bool simplifying_;
  std::unordered_map<TermId, TermId> negations_;
  std::unordered_map<const void*, TermId> converted_[2];
};

}  // namespace spillway::ltl
