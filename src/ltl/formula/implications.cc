#include "ltl/formula/implications.h"

#include <algorithm>

namespace spillway::ltl {

bool Implications::implies(TermId a, TermId b) {
  if (a == b || a == Terms::kFalse || b == Terms::kTrue) return true;
  if (a == Terms::kTrue || b == Terms::kFalse) return false;
  const std::uint64_t key = (std::uint64_t{a} << 32) | b;
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (known_.size() >= kMostPairs) return false;
  const bool found = find_out(a, b);
  known_.emplace(key, found);
  return found;
}

// Each question leads to questions about smaller terms, so this ends.
bool Implications::find_out(TermId a, TermId b) {
  const Term &from = terms_[a], &to = terms_[b];
  return from_parts(from, b) || to_parts(a, to) || between(from, to);
}

// Does `b` follow from what `a` says about now, or about some or all moments?
bool Implications::from_parts(const Term& a, TermId b) {
  const auto follows = [&](TermId part) { return implies(part, b); };
  const bool eventual = terms_[b].eventual;
  switch (a.kind) {
    case TermKind::all_of: return std::ranges::any_of(a.parts, follows);
    case TermKind::any_of: return std::ranges::all_of(a.parts, follows);
    case TermKind::next: return eventual && follows(a.parts[0]);
    case TermKind::until: return follows(a.parts[1]) && (eventual || follows(a.parts[0]));
    case TermKind::weak_until: return follows(a.parts[1]) && follows(a.parts[0]);
    case TermKind::release: return follows(a.parts[1]);
    case TermKind::strong_release: return follows(a.parts[1]) || (eventual && follows(a.parts[0]));
    default: return false;
  }
}

bool Implications::to_parts(TermId a, const Term& b) {
  const auto follows = [&](TermId part) { return implies(a, part); };
  const bool universal = terms_[a].universal;
  switch (b.kind) {
    case TermKind::all_of: return std::ranges::all_of(b.parts, follows);
    case TermKind::any_of: return std::ranges::any_of(b.parts, follows);
    case TermKind::next: return universal && follows(b.parts[0]);
    case TermKind::until: return follows(b.parts[1]);
    case TermKind::weak_until: return follows(b.parts[1]) || (universal && follows(b.parts[0]));
    case TermKind::release: return follows(b.parts[1]) && (universal || follows(b.parts[0]));
    case TermKind::strong_release: return follows(b.parts[1]) && follows(b.parts[0]);
    default: return false;
  }
}

// Two temporal operators whose operands follow from each other.
bool Implications::between(const Term& a, const Term& b) {
  if (a.kind == TermKind::next && b.kind == TermKind::next) return implies(a.parts[0], b.parts[0]);
  if (a.kind < TermKind::until || b.kind < TermKind::until) return false;
  const auto lasts = [](TermKind kind) {  // there is a moment when it is decided
    return kind == TermKind::until || kind == TermKind::strong_release;
  };
  if (lasts(b.kind) && !lasts(a.kind)) return false;
  // What holds before that moment, and what holds then.
  const auto is_until = [](TermKind kind) {
    return kind == TermKind::until || kind == TermKind::weak_until;
  };
  const TermId a0 = a.parts[0], a1 = a.parts[1], b0 = b.parts[0], b1 = b.parts[1];
  if (is_until(a.kind) && is_until(b.kind)) return implies(a0, b0) && implies(a1, b1);
  if (!is_until(a.kind) && !is_until(b.kind)) return implies(a0, b0) && implies(a1, b1);
  if (!is_until(a.kind))  // a1 until both: b0 until b1
    return implies(a1, b0) && (implies(a0, b1) || implies(a1, b1));
  return implies(a0, b1) && implies(a1, b1) && implies(a1, b0);  // a0 until a1: b1 until both
}

}  // namespace spillway::ltl
