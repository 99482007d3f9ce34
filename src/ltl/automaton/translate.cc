#include "ltl/automaton/translate.h"

#include <tuple>

#include "base/error.h"
#include "ltl/automaton/reduce.h"
#include "ltl/automaton/tableau.h"
#include "ltl/formula/rewriter.h"
#include "ltl/formula/terms.h"

namespace spillway::ltl {
namespace {

// A second automaton, of the formula as it was written, is tried up to this size.
constexpr std::uint32_t kTriedStates = 60;

Automaton automaton_of(const Formula& formula, bool simplifying) {
  Terms terms;
  const TermId root = Rewriter(terms, simplifying).convert(formula, false);
  return reduced(Tableau(terms).build(root));
}

auto size(const Automaton& automaton) {
  std::size_t transitions = 0;
  for (const auto& out : automaton.transitions) transitions += out.size();
  return std::tuple(automaton.states(), transitions, automaton.sets);
}

}  // namespace

Automaton translate(const Formula& formula, const std::vector<std::string>& names) {
  Automaton best = automaton_of(formula, true);
  if (best.states() > 1 && best.states() <= kTriedStates) {
    try {
      Automaton other = automaton_of(formula, false);
      if (size(other) < size(best)) best = std::move(other);
    } catch (const Error&) {  // as it was written it is too large
    }
  }
  best.propositions = names;
  return best;
}

}  // namespace spillway::ltl
