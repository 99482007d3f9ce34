#include "ltl/formula/rewriter.h"

#include <algorithm>

namespace spillway::ltl {

TermId Rewriter::convert(const Formula& formula, bool negated) {
  auto& known = converted_[negated ? 1 : 0];
  const auto found = known.find(formula.identity());
  if (found != known.end()) return found->second;
  const TermId id = convert_new(formula, negated);
  known.emplace(formula.identity(), id);
  return id;
}

TermId Rewriter::convert_new(const Formula& formula, bool negated) {
  const Sense sense = negated ? Sense::dual : Sense::plain;
  switch (formula.op()) {
    case Operator::constant_true: return top(sense);
    case Operator::constant_false: return bottom(sense);
    case Operator::proposition: return terms_.literal(formula.proposition(), negated);
    case Operator::negation: return convert(formula.left(), !negated);
    case Operator::conjunction:
      return meet(sense, {convert(formula.left(), negated), convert(formula.right(), negated)});
    case Operator::disjunction:
      return join(sense, {convert(formula.left(), negated), convert(formula.right(), negated)});
    case Operator::implication:
      return join(sense, {convert(formula.left(), !negated), convert(formula.right(), negated)});
    case Operator::equivalence:
    case Operator::exclusive_or: {
      const bool differ = (formula.op() == Operator::exclusive_or) != negated;
      const TermId a = convert(formula.left(), false), not_a = convert(formula.left(), true);
      const TermId b = convert(formula.right(), differ), not_b = convert(formula.right(), !differ);
      return join(Sense::plain, {meet(Sense::plain, {a, b}), meet(Sense::plain, {not_a, not_b})});
    }
    default: return convert_temporal(formula, negated);
  }
}

TermId Rewriter::convert_temporal(const Formula& formula, bool negated) {
  const Sense sense = negated ? Sense::dual : Sense::plain;
  const TermId a = convert(formula.left(), negated);
  switch (formula.op()) {
    case Operator::next: return next(a);
    case Operator::finally: return eventually(sense, a);
    case Operator::globally: return eventually(other(sense), a);
    case Operator::until: return until(sense, a, convert(formula.right(), negated));
    case Operator::release: return until(other(sense), a, convert(formula.right(), negated));
    case Operator::weak_until: return weak_until(sense, a, convert(formula.right(), negated));
    default: return weak_until(other(sense), a, convert(formula.right(), negated));
  }
}

TermId Rewriter::negation(TermId id) {
  const auto known = negations_.find(id);
  if (known != negations_.end()) return known->second;
  const Term term = terms_[id];
  std::vector<TermId> parts;
  for (const TermId part : term.parts) parts.push_back(negation(part));
  std::ranges::sort(parts);
  // Not simplified again: the rules are symmetric.
  if (term.kind >= TermKind::next) {
    parts.clear();
    for (const TermId part : term.parts) parts.push_back(negation(part));
  }
  const TermId made = terms_.intern(dual(term.kind), std::move(parts), term.proposition);
  negations_.emplace(id, made);
  negations_.emplace(made, id);
  return made;
}

// Parts of a conjunction or disjunction of which X and F need not be said, and the others.
std::pair<std::vector<TermId>, std::vector<TermId>> Rewriter::split_suspendable(TermId id) const {
  std::pair<std::vector<TermId>, std::vector<TermId>> result;
  for (const TermId part : terms_[id].parts)
    (terms_[part].eventual && terms_[part].universal ? result.first : result.second)
        .push_back(part);
  return result;
}

TermId Rewriter::next(TermId a) {
  if (a == Terms::kTrue || a == Terms::kFalse) return a;
  if (!simplifying_) return terms_.intern(TermKind::next, {a});
  if (terms_[a].eventual && terms_[a].universal) return a;
  for (const Sense sense : {Sense::plain, Sense::dual}) {
    if (!is(a, sense, TermKind::any_of)) continue;
    auto [suspendable, rest] = split_suspendable(a);
    if (suspendable.empty()) continue;
    suspendable.push_back(next(join(sense, std::move(rest))));
    return join(sense, std::move(suspendable));
  }
  return terms_.intern(TermKind::next, {a});
}

// Returns whether the disjunction is `top` because of this part.
bool Rewriter::gather(Sense sense, TermId id, std::vector<TermId>& into) const {
  if (id == top(sense)) return true;
  if (id == bottom(sense)) return false;
  if (is(id, sense, TermKind::any_of))
    into.insert(into.end(), terms_[id].parts.begin(), terms_[id].parts.end());
  else
    into.push_back(id);
  return false;
}

TermId Rewriter::join(Sense sense, std::vector<TermId> given) {
  std::vector<TermId> parts;
  for (const TermId id : given)
    if (gather(sense, id, parts)) return top(sense);
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  if (simplifying_) {
    if (drop_implied(sense, parts)) return top(sense);
    if (combine(sense, parts)) return join(sense, std::move(parts));
  }
  if (parts.empty()) return bottom(sense);
  if (parts.size() == 1) return parts[0];
  return terms_.intern(kind(sense, TermKind::any_of), std::move(parts));
}

// Returns whether two parts exclude that both are false.
bool Rewriter::drop_implied(Sense sense, std::vector<TermId>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (i != j && implies(sense, negation(parts[i]), parts[j])) return true;
  for (std::size_t i = 0; i < parts.size();) {
    bool implied = false;
    for (std::size_t j = 0; j < parts.size() && !implied; ++j)
      implied = i != j && implies(sense, parts[i], parts[j]);
    if (implied)
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  return false;
}

// Replaces two parts by one, if there are two that allow it.
bool Rewriter::combine(Sense sense, std::vector<TermId>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const TermId both = combined(sense, parts[i], parts[j]);
      if (both == kNone) continue;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
      parts[i] = both;
      return true;
    }
  return false;
}

TermId Rewriter::combined(Sense sense, TermId a, TermId b) {
  if (terms_[a].kind != terms_[b].kind) return kNone;
  const Term left = terms_[a], right = terms_[b];
  if (left.kind == TermKind::next) return next(join(sense, {left.parts[0], right.parts[0]}));
  if (is(a, sense, TermKind::until) || is(a, sense, TermKind::weak_until)) {
    // a U b | a U c = a U (b | c)
    if (left.parts[0] != right.parts[0]) return kNone;
    const TermId then = join(sense, {left.parts[1], right.parts[1]});
    return is(a, sense, TermKind::until) ? until(sense, left.parts[0], then)
                                         : weak_until(sense, left.parts[0], then);
  }
  if (is(a, sense, TermKind::release) || is(a, sense, TermKind::strong_release)) {
    // GF a | GF b = GF (a | b)
    const bool globally = left.parts[0] == bottom(sense) && right.parts[0] == bottom(sense);
    if (globally && terms_[left.parts[1]].kind == kind(sense, TermKind::until) &&
        terms_[right.parts[1]].kind == kind(sense, TermKind::until) &&
        terms_[left.parts[1]].parts[0] == top(sense) &&
        terms_[right.parts[1]].parts[0] == top(sense))
      return until(other(sense), bottom(sense), join(sense, {left.parts[1], right.parts[1]}));
    // a R b | c R b = (a | c) R b
    if (left.parts[1] != right.parts[1]) return kNone;
    const TermId when = join(sense, {left.parts[0], right.parts[0]});
    return is(a, sense, TermKind::release) ? until(other(sense), when, left.parts[1])
                                           : weak_until(other(sense), when, left.parts[1]);
  }
  return kNone;
}

// F b
TermId Rewriter::eventually_of(Sense sense, TermId b) {
  const Term term = terms_[b];
  if (term.kind == TermKind::next) return next(eventually(sense, term.parts[0]));
  if (is(b, sense, TermKind::until)) return eventually(sense, term.parts[1]);
  if (is(b, sense, TermKind::strong_release))
    return eventually(sense, meet(sense, {term.parts[0], term.parts[1]}));
  if (is(b, sense, TermKind::any_of)) {
    std::vector<TermId> already, rest;
    for (const TermId part : term.parts) (eventual(sense, part) ? already : rest).push_back(part);
    if (!already.empty()) {
      already.push_back(eventually(sense, join(sense, std::move(rest))));
      return join(sense, std::move(already));
    }
  }
  if (is(b, sense, TermKind::all_of)) {
    auto [suspendable, rest] = split_suspendable(b);
    if (!suspendable.empty()) {
      suspendable.push_back(eventually(sense, meet(sense, std::move(rest))));
      return meet(sense, std::move(suspendable));
    }
  }
  return terms_.intern(kind(sense, TermKind::until), {top(sense), b});
}

// (c | p) U b where p implies b: c U b.  The same for W.
TermId Rewriter::without_implied(Sense sense, TermId a, TermId b) {
  if (!is(a, sense, TermKind::any_of)) return a;
  const std::vector<TermId> parts = terms_[a].parts;
  std::vector<TermId> kept;
  for (const TermId part : parts)
    if (!implies(sense, part, b)) kept.push_back(part);
  return kept.size() == parts.size() ? a : join(sense, std::move(kept));
}

// Rules that U and W share; kNone if there is none.
TermId Rewriter::shorter_until(Sense sense, TermKind plain, TermId a, TermId b) {
  const auto again = [&](TermId x, TermId y) {
    return plain == TermKind::until ? until(sense, x, y) : weak_until(sense, x, y);
  };
  const Term left = terms_[a], right = terms_[b];
  if (is(a, sense, plain) && left.parts[1] == b) return a;
  if (is(b, sense, plain) && implies(sense, a, right.parts[0])) return b;
  if (left.kind == TermKind::next && right.kind == TermKind::next)
    return next(again(left.parts[0], right.parts[0]));
  const TermId needed = without_implied(sense, a, b);
  if (needed != a) return again(needed, b);
  if (is(b, sense, TermKind::any_of)) {  // a U (b | G a) = a W b
    std::vector<TermId> rest;
    const TermId always = eventually(other(sense), a);
    for (const TermId part : right.parts)
      if (part != always) rest.push_back(part);
    if (rest.size() != right.parts.size())
      return weak_until(sense, a, join(sense, std::move(rest)));
  }
  return kNone;
}

TermId Rewriter::until(Sense sense, TermId a, TermId b) {
  if (b == top(sense) || b == bottom(sense) || a == bottom(sense)) return b;
  if (!simplifying_) return terms_.intern(kind(sense, TermKind::until), {a, b});
  if (implies(sense, a, b) || eventual(sense, b)) return b;
  if (a == top(sense) || implies(sense, negation(a), b)) return eventually_of(sense, b);
  if (eventual(other(sense), a)) return join(sense, {b, meet(sense, {a, eventually(sense, b)})});
  const TermId shorter = shorter_until(sense, TermKind::until, a, b);
  return shorter != kNone ? shorter : terms_.intern(kind(sense, TermKind::until), {a, b});
}

TermId Rewriter::weak_until(Sense sense, TermId a, TermId b) {
  if (a == top(sense) || b == top(sense)) return top(sense);
  if (b == bottom(sense)) return until(other(sense), bottom(sense), a);
  if (a == bottom(sense)) return b;
  if (!simplifying_) return terms_.intern(kind(sense, TermKind::weak_until), {a, b});
  if (implies(sense, a, b)) return b;
  if (implies(sense, negation(a), b)) return top(sense);
  if (eventual(other(sense), a)) return join(sense, {a, b});
  if (eventual(sense, b)) return join(sense, {eventually(other(sense), a), b});
  const TermId shorter = shorter_until(sense, TermKind::weak_until, a, b);
  return shorter != kNone ? shorter : terms_.intern(kind(sense, TermKind::weak_until), {a, b});
}

}  // namespace spillway::ltl
