// Decides whether the iterations (turns) of one loop depend on each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/symmetry/accesses.h"
#include "program/symmetry/call_stack.h"

namespace spillway::program {

// Limits the analysis: the paths of accesses, and pairs of them, can be many.
class Effort {
 public:
  struct TooMuch {};
  void add(std::uint64_t steps = 1) {
    if ((steps_ += steps) > kMost) throw TooMuch{};
  }

 private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 23;
  std::uint64_t steps_ = 0;
};

// What any turn of a loop may do.
struct Turn {
  const Accesses& accesses;
  Symbol counter;
};

// Of two turns, one writes what the other one reads or writes.
struct Conflict {
  Access write, other;
  bool is_about(const Path& path) const {
    return overlap(path, write.path, kNoSymbol) && overlap(path, other.path, kNoSymbol);
  }
};

// Why the order of the turns may be observed whatever local variables are used for, or nothing.
// Notes the conflicts about local variables, which matter only if a turn, or what follows the loop,
// reads what another turn has left there.
std::optional<std::string> dependence(const Turn& turn, const CallStack& calls, Effort& effort,
                                      std::vector<Conflict>& conflicts);

}  // namespace spillway::program
