#include "ltl/automaton/fewer_sets.h"

#include <algorithm>
#include <bit>

namespace spillway::ltl {
namespace {

class SetReduction {
 public:
  explicit SetReduction(const Automaton& automaton)
      : automaton_(automaton), found_(components(automaton)) {
    needed_.assign(found_.accepting.size(), all_sets(automaton.sets));
    for (unsigned set = 0; set < automaton.sets; ++set) drop(set);
  }

  Automaton result() const {
    Automaton result = automaton_;
    result.sets = count();
    for (std::uint32_t state = 0; state < result.states(); ++state)
      for (Transition& transition : result.transitions[state]) {
        const std::uint32_t component = found_.of[state];
        const bool counts =
            component == found_.of[transition.target] && found_.accepting[component];
        transition.marks =
            counts ? renumbered(transition.marks, needed_[component], result.sets) : SetMask{0};
      }
    return result;
  }

 private:
  // Takes `set` away from the components where it is met by every cycle that meets the others.
  void drop(unsigned set) {
    const SetMask bit = SetMask{1} << set;
    Automaton avoiding;
    avoiding.sets = automaton_.sets;
    avoiding.transitions.resize(automaton_.states());
    for (std::uint32_t state = 0; state < automaton_.states(); ++state) {
      const std::uint32_t component = found_.of[state];
      for (Transition transition : automaton_.transitions[state]) {
        if (found_.of[transition.target] != component || (transition.marks & bit) != 0) continue;
        transition.marks |= bit | ~needed_[component];
        transition.marks &= all_sets(automaton_.sets);
        avoiding.transitions[state].push_back(transition);
      }
    }
    std::vector<bool> wanted(found_.accepting.size(), false);
    const Components rest = components(avoiding);
    for (std::uint32_t state = 0; state < automaton_.states(); ++state)
      if (rest.accepting[rest.of[state]]) wanted[found_.of[state]] = true;
    for (std::size_t component = 0; component < wanted.size(); ++component)
      if (!wanted[component]) needed_[component] &= ~bit;
  }

  // One set tells components that accept from those that do not.
  unsigned count() const {
    unsigned most = 0;
    for (std::size_t component = 0; component < needed_.size(); ++component)
      if (found_.accepting[component])
        most = std::max(most, static_cast<unsigned>(std::popcount(needed_[component])));
    for (std::uint32_t state = 0; state < automaton_.states() && most == 0; ++state)
      for (const Transition& transition : automaton_.transitions[state])
        if (found_.of[state] == found_.of[transition.target] && !found_.accepting[found_.of[state]])
          most = 1;
    return most;
  }

  // A component that needs fewer sets than others meets the last ones together with its first.
  static SetMask renumbered(SetMask marks, SetMask needed, unsigned sets) {
    SetMask result = 0;
    unsigned next = 0;
    for (SetMask rest = needed; rest != 0; rest &= rest - 1, ++next)
      if ((marks & rest & (~rest + 1)) != 0) result |= SetMask{1} << next;
    if (next == 0 || (result & 1) != 0) result |= all_sets(sets) & ~all_sets(next);
    return result;
  }

  const Automaton& automaton_;
  Components found_;
  std::vector<SetMask> needed_;
};

}  // namespace

Automaton with_fewer_sets(const Automaton& automaton) { return SetReduction(automaton).result(); }

}  // namespace spillway::ltl
