// Decides whether the iterations (turns) of one loop depend on each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "program/symmetry/accesses.h"
#include "program/symmetry/call_stack.h"

namespace spillway::program {

// Limits the analysis: the paths of accesses, and pairs of them, can be many.
class Effort {
 public:
  struct TooMuch {};
  void add() {
    if (++steps_ > kMost) throw TooMuch{};
  }

 private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 23;
  std::uint64_t steps_ = 0;
};

// What any turn of a loop may do.
struct Turn {
  const Accesses& accesses;
  Symbol counter;
  const Body* body;  // nullptr: a quantifier or a count
};

// Why the order of the turns may be observed, or nothing.  The loop is the current statement at the
// top of the stack.
std::optional<std::string> dependence(const Turn& turn, const CallStack& calls, Effort& effort);

}  // namespace spillway::program
