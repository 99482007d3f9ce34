#include "ltl/formula/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace spillway::ltl {

TermKind dual(TermKind kind) {
  switch (kind) {
    case TermKind::falsehood: return TermKind::truth;
    case TermKind::truth: return TermKind::falsehood;
    case TermKind::literal: return TermKind::negated_literal;
    case TermKind::negated_literal: return TermKind::literal;
    case TermKind::all_of: return TermKind::any_of;
    case TermKind::any_of: return TermKind::all_of;
    case TermKind::next: return TermKind::next;
    case TermKind::until: return TermKind::release;
    case TermKind::release: return TermKind::until;
    case TermKind::weak_until: return TermKind::strong_release;
    case TermKind::strong_release: return TermKind::weak_until;
  }
  return kind;
}

Terms::Terms() {
  intern(TermKind::falsehood, {});
  intern(TermKind::truth, {});
}

TermId Terms::literal(std::uint32_t proposition, bool negated) {
  return intern(negated ? TermKind::negated_literal : TermKind::literal, {}, proposition);
}

TermId Terms::intern(TermKind kind, std::vector<TermId> parts, std::uint32_t proposition) {
  std::tuple key(kind, proposition, std::move(parts));
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  if (terms_.size() == kMost)
    throw Error(Fault::model,
                fmt::format("the formula has more than {} different parts once it is written with "
                            "negations only before propositions; split it into several formulas",
                            kMost));
  Term term{.kind = kind, .proposition = proposition, .parts = std::get<2>(key)};
  classify(term);
  const auto id = static_cast<TermId>(terms_.size());
  terms_.push_back(std::move(term));
  ids_.emplace(std::move(key), id);
  return id;
}

void Terms::classify(Term& term) const {
  const auto eventual = [&](TermId id) { return terms_[id].eventual; };
  const auto universal = [&](TermId id) { return terms_[id].universal; };
  switch (term.kind) {
    case TermKind::falsehood:
    case TermKind::truth: term.eventual = term.universal = true; break;
    case TermKind::literal:
    case TermKind::negated_literal: break;
    default:
      term.eventual = std::ranges::all_of(term.parts, eventual);
      term.universal = std::ranges::all_of(term.parts, universal);
      // F and G, where the other operand is a constant and counts as both.
      if (term.kind == TermKind::until && term.parts[0] == kTrue) term.eventual = true;
      if (term.kind == TermKind::release && term.parts[0] == kFalse) term.universal = true;
  }
}

Formula Terms::formula(TermId id) {
  const auto known = formulas_.find(id);
  if (known != formulas_.end()) return known->second;
  Formula made = make_formula(terms_[id]);
  formulas_.emplace(id, made);
  return made;
}

Formula Terms::make_formula(const Term& term) {
  switch (term.kind) {
    case TermKind::falsehood: return Formula::constant(false);
    case TermKind::truth: return Formula::constant(true);
    case TermKind::literal: return Formula::atom(term.proposition);
    case TermKind::negated_literal: return !Formula::atom(term.proposition);
    case TermKind::next: return Formula::unary(Operator::next, formula(term.parts[0]));
    case TermKind::all_of:
    case TermKind::any_of: {
      const Operator op =
          term.kind == TermKind::all_of ? Operator::conjunction : Operator::disjunction;
      Formula made = formula(term.parts[0]);
      for (std::size_t i = 1; i < term.parts.size(); ++i)
        made = Formula::binary(op, made, formula(term.parts[i]));
      return made;
    }
    default: break;
  }
  if (term.kind == TermKind::until && term.parts[0] == kTrue)
    return Formula::unary(Operator::finally, formula(term.parts[1]));
  if (term.kind == TermKind::release && term.parts[0] == kFalse)
    return Formula::unary(Operator::globally, formula(term.parts[1]));
  constexpr std::array kOperators = {Operator::until, Operator::release, Operator::weak_until,
                                     Operator::strong_release};
  const auto which =
      static_cast<std::size_t>(term.kind) - static_cast<std::size_t>(TermKind::until);
  return Formula::binary(kOperators[which], formula(term.parts[0]), formula(term.parts[1]));
}

}  // namespace spillway::ltl
