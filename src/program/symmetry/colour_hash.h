// The hash of which colours of identities are made.
//
// Colours decide the order of identities, and so which state represents its class: digests and run
// directories depend on this hash.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash/hash.h"

namespace spillway::program {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return scatter(a * 0x9e3779b97f4a7c15U + b);
}

// What a number that is mixed in means.
enum Mixed : std::uint64_t {
  kIndexed = 0x11,
  kHeld = 0x22,
  kField = 0x33,
  kElement = 0x44,
  kSlot = 0x55,
  kSame = 0x66
};

// The colour that all identities of a symmetry begin with.
inline std::uint64_t first_colour(std::size_t group) { return mix(kSlot, group); }
// What an identity is to a cell that it indexes, as the one at this place of the path.
inline std::uint64_t role_of(std::size_t coordinate) { return kIndexed + 0x100 * coordinate; }

}  // namespace spillway::program
