// Finds states of an automaton that can do whatever others can.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// The largest direct simulation: whatever transition one state takes, the other can take one for
// the same letter with at least the same marks, to a state that simulates the first one's target.
class Simulation {
 public:
  enum class Marks {
    all,
    // Marks that are met only finitely often, outside of accepting components, are not asked for,
    // and are taken for granted on transitions from one component to another.  The words accepted
    // are still included.  A state may give way only to one that is not in an earlier component: a
    // run could otherwise go from one to the other for ever.
    of_cycles,
  };

  // Whether the relation can be found in reasonable time.
  static bool is_affordable(const Automaton& automaton);

  // `automaton` must outlive this object.
  Simulation(const Automaton& automaton, Marks marks);

  // Every word accepted from `small` is accepted from `large`.
  bool simulates(std::uint32_t small, std::uint32_t large) const {
    return relation_[std::size_t{small} * automaton_.states() + large];
  }
  bool same(std::uint32_t a, std::uint32_t b) const { return simulates(a, b) && simulates(b, a); }

 private:
  struct Bounds {
    SetMask asked, given;
  };

  void find_bounds(Marks marks);
  bool can_follow(std::uint32_t small, std::uint32_t large) const;

  const Automaton& automaton_;
  std::vector<std::vector<Bounds>> bounds_;  // of each transition
  std::vector<bool> relation_;
};

}  // namespace spillway::ltl
