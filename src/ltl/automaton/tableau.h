// Translates a term to an automaton: a state is a set of terms that must hold from now on.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "ltl/formula/terms.h"

namespace spillway::ltl {

// After Couvreur (FM'99).  A term is unfolded into what must hold now and what next; a b that is
// postponed in a U b is a promise, and a transition is in the acceptance set of b unless it
// postpones b.  Sets of terms that unfold to the same are one state.
class Tableau {
 public:
  // Above these, an Error is thrown.
  static constexpr std::size_t kMostStates = 20'000;
  static constexpr std::size_t kMostTransitions = 400'000;
  static constexpr std::size_t kMostSteps = 20'000;  // of one state

  // `terms` must outlive this object.
  explicit Tableau(const Terms& terms) : terms_(terms) {}

  // Accepts the words of which the term holds; propositions have no names yet.
  Automaton build(TermId root);

 private:
  using Obligations = std::vector<TermId>;  // in order
  struct TableauStep {
    Label label{};
    SetMask promises = 0;
    Obligations next{};
    auto operator<=>(const TableauStep& other) const;
    bool operator==(const TableauStep&) const = default;
  };
  using Steps = std::vector<TableauStep>;

  const Steps& unfolded(TermId id);
  Steps unfold(TermId id);
  Steps all(const std::vector<TermId>& ids);
  TableauStep stay(TermId id, TermId promise);
  Obligations obligations(TermId id) const;
  static Steps product(const Steps& a, const Steps& b);
  static Steps sum(Steps a, const Steps& b);
  static void prune(Steps& steps);
  std::uint32_t state(const Obligations& set);

  const Terms& terms_;
  std::unordered_map<TermId, Steps> unfolded_;
  std::unordered_map<TermId, unsigned> promises_;
  std::map<Obligations, std::uint32_t> states_;
  std::map<Steps, std::uint32_t> equal_;
  std::vector<const Steps*> of_state_;
  std::size_t transitions_ = 0;
};

}  // namespace spillway::ltl
