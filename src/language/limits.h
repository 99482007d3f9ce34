// How much a text may ask for.  Text comes from anywhere: what it asks for must fit the stack and
// the memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spillway {

// Each byte of text may become many of memory.
inline constexpr std::size_t kLargestText = std::size_t{16} << 20;

// How deep anything may be nested: trees are walked recursively.
inline constexpr std::uint32_t kDepthLimit = 600;

// Scalars of a state or frame, and bits of a state.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 24;
inline constexpr std::uint64_t kMostStateBits = std::uint64_t{1} << 19;

// Pieces of program that the text did not spell out.
inline constexpr std::uint64_t kMostExpansions = std::uint64_t{1} << 22;

}  // namespace spillway
