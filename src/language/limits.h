// Limits on models.  A model may come from anywhere, and must not exhaust the stack or the memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spillway {

// In bytes.  Each byte of text may take many bytes of memory.
inline constexpr std::size_t kLargestText = std::size_t{16} << 20;

// The deepest nesting of anything.  Trees are walked recursively.
inline constexpr std::uint32_t kDepthLimit = 600;

// Scalars of a state or frame, and bits of a state.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 24;
inline constexpr std::uint64_t kMostStateBits = std::uint64_t{1} << 19;

// Nodes of the program that the text does not spell out.
inline constexpr std::uint64_t kMostExpansions = std::uint64_t{1} << 22;

}  // namespace spillway
