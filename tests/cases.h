// How many cases a test takes that could take any number of them.  Every such test asks here, so
// that all of them take fewer where a sanitizer watches, and more at night.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "sanitized.h"

namespace spillway {

// A number from the environment.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

// SPILLWAY_TIMES as many as usual (once unless told otherwise).  With sanitizers, which are about
// ten times slower, an eighth of that: what they look for seldom hides among similar cases.
inline std::uint64_t scaled(std::uint64_t usual) {
  const std::uint64_t most = usual * number_from("SPILLWAY_TIMES", 1);
  return std::max<std::uint64_t>(1, kSanitized ? most / 8 : most);
}

// As many random cases as the variable says, or as usual.
inline std::uint64_t cases(std::uint64_t usual, const char* variable = "SPILLWAY_CASES") {
  return number_from(variable, scaled(usual));
}

// With fewer random cases, what holds of most of them need not hold of those.
inline constexpr std::uint64_t kEnoughToTell = 100;

// Whether there is time for all cases of a kind, and for large ones: with sanitizers only at night.
inline bool take_all() { return !kSanitized || number_from("SPILLWAY_TIMES", 1) > 1; }

// The step of a test that goes through all cases of a kind: 1, or `sparse` if there is no time for
// all.  Let it have no divisor in common with what repeats in the cases.
inline std::uint64_t step_of_all(std::uint64_t sparse) { return take_all() ? 1 : sparse; }

}  // namespace spillway
