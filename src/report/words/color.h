// Colors of verdicts on a terminal.
#pragma once

#include <string>
#include <string_view>

#include "check/facts/verdict.h"

namespace spillway {

// `text` in the color of a verdict; unchanged unless `wanted`.
inline std::string in_color_of(Outcome outcome, std::string_view text, bool wanted) {
  if (!wanted) return std::string(text);
  const auto code = [&]() -> std::string_view {
    switch (outcome) {
      case Outcome::verified:
      case Outcome::verified_probabilistic: return "\033[1;32m";  // green
      case Outcome::inconclusive: return "\033[1;33m";            // yellow
      default: return "\033[1;31m";                               // red
    }
  }();
  return std::string(code) + std::string(text) + "\033[0m";
}

}  // namespace spillway
