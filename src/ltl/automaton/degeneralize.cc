#include "ltl/automaton/degeneralize.h"

#include <map>
#include <utility>

#include "ltl/automaton/reduce.h"

namespace spillway::ltl {
namespace {

// A state with the number of the set that is waited for next.
using Waiting = std::pair<std::uint32_t, unsigned>;

class Degeneralization {
 public:
  explicit Degeneralization(const Automaton& automaton)
      : automaton_(automaton), found_(components(automaton)) {
    result_.propositions = automaton.propositions;
    result_.sets = 1;
    for (const std::uint32_t state : automaton.initial)
      result_.initial.push_back(number({state, 0}));
    for (std::size_t at = 0; at < states_.size(); ++at) {
      std::vector<Transition> out;
      for (const Transition& transition : automaton.transitions[states_[at].first])
        out.push_back(follow(states_[at], transition));
      result_.transitions.push_back(std::move(out));
    }
  }

  Automaton take() { return std::move(result_); }

 private:
  std::uint32_t number(Waiting waiting) {
    const auto [entry, is_new] =
        numbers_.emplace(waiting, static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(waiting);
    return entry->second;
  }

  Transition follow(Waiting from, const Transition& transition) {
    Transition result{transition.label, 0, 0};
    unsigned set = 0;
    const std::uint32_t component = found_.of[from.first];
    // Elsewhere it does not matter what has been met.
    if (component == found_.of[transition.target] && found_.accepting[component]) {
      set = advanced(from.second, transition.marks);
      if (set == automaton_.sets) {
        result.marks = 1;
        set = advanced(0, transition.marks);
        if (set == automaton_.sets) set = 0;
      }
    }
    result.target = number({transition.target, set});
    return result;
  }

  unsigned advanced(unsigned set, SetMask marks) const {
    while (set < automaton_.sets && ((marks >> set) & 1) != 0) ++set;
    return set;
  }

  const Automaton& automaton_;
  Components found_;
  Automaton result_;
  std::map<Waiting, std::uint32_t> numbers_;
  std::vector<Waiting> states_;
};

}  // namespace

Automaton degeneralized(const Automaton& automaton) {
  Automaton result = automaton.sets == 1 ? automaton : reduced(Degeneralization(automaton).take());
  if (result.sets == 0) {
    result.sets = 1;
    for (auto& out : result.transitions)
      for (Transition& transition : out) transition.marks = 1;
  }
  return result;
}

}  // namespace spillway::ltl
