// Packed bytes that somebody else owns.
#pragma once

#include <cstdint>
#include <span>

namespace spillway {

using Bytes = std::span<const std::uint8_t>;

}  // namespace spillway
