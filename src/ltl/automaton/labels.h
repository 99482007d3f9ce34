// Sets of letters that labels stand for.
#pragma once

#include <span>
#include <vector>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Whatever `strong` admits, `weak` admits.
inline bool is_weaker(const Label& weak, const Label& strong) {
  return (weak.positive & ~strong.positive) == 0 && (weak.negative & ~strong.negative) == 0;
}

inline bool is_possible(const Label& label) { return (label.positive & label.negative) == 0; }

inline Label both(const Label& a, const Label& b) {
  return {a.positive | b.positive, a.negative | b.negative};
}

// Whether each letter that `label` admits is admitted by one of `by`.  Takes exponential time in
// the number of propositions at worst; with labels of automata it does not happen.
bool is_covered(const Label& label, std::span<const Label> by);

// Labels that together admit what these do: fewer of them where two differ in one proposition only
// or one is part of another.
std::vector<Label> merged(std::vector<Label> labels);

}  // namespace spillway::ltl
