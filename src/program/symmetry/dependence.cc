#include "program/symmetry/dependence.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::program {
namespace {

// Whether the order of two such writes in different turns cannot be observed.
bool harmless(const Access& a, const Access& b, const CallStack& calls) {
  if (a.does != b.does || a.does == Does::writes) return false;
  if (a.does != Does::sets) return true;
  if (a.to != b.to) return false;
  return a.to.is != Meaning::Is::symbol || calls.is_bound_outside(static_cast<Symbol>(a.to.number));
}

}  // namespace

std::optional<std::string> dependence(const Turn& turn, const CallStack& calls, Effort& effort,
                                      std::vector<Conflict>& conflicts) {
  const Accesses& one = turn.accesses;
  if (one.leaves)
    return fmt::format("line {} ends this loop, whichever iteration reaches it first",
                       one.leaves->line);
  if (one.discards)
    return fmt::format("line {} discards the state in one iteration, and another might fail",
                       one.discards->line);
  if (one.recurs)
    return fmt::format("the recursive function at line {} is not analysed", one.recurs->line);
  for (const Access& a : one.all) {
    if (a.does == Does::reads) continue;
    for (const Access& b : one.all) {
      effort.add();
      if (!overlap(a.path, b.path, turn.counter) || harmless(a, b, calls)) continue;
      if (!a.path.in_state) {
        conflicts.push_back({a, b});
        continue;
      }
      if (b.does == Does::reads)
        return fmt::format(
            "an iteration of this loop reads {} at line {}, which others write at line {}",
            calls.name(a.path), b.position.line, a.position.line);
      return fmt::format("iterations of this loop write different values to {} at line {}",
                         calls.name(a.path), std::max(a.position.line, b.position.line));
    }
  }
  return std::nullopt;
}

}  // namespace spillway::program
