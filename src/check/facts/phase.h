// The phase of a search, for those who watch it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace spillway {

enum class Phase {
  expanding,  // the states of a level
  loading,    // the states of a checkpoint
  switching,  // states move from memory to sorted runs
  sieving,    // new states are separated from those that were met before
  merging,    // sorted runs become fewer and longer
  verifying,  // the visited set is read back
  deciding,   // properties that depend on all states
  saving,     // a checkpoint
  tracing,    // a counterexample is made
};

inline constexpr std::array<std::string_view, 9> kPhases = {
    "expanding states",    "reading the checkpoint", "moving states to sorted runs",
    "removing duplicates", "merging sorted runs",    "verifying the visited set",
    "deciding liveness",   "saving a checkpoint",    "making the counterexample"};

inline std::string_view phase_text(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

}  // namespace spillway
