// Sets as bits of a word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spillway {

// Bit i: acceptance set i.
using SetMask = std::uint64_t;
inline constexpr std::size_t kMostSets = 64;
constexpr SetMask all_sets(std::size_t count) {
  return count == kMostSets ? ~SetMask{0} : (SetMask{1} << count) - 1;
}

// What holds in a state.  Bit i: proposition i.
using Letter = std::uint64_t;
inline constexpr std::size_t kMostPropositions = 64;

}  // namespace spillway
