// Parts of sentences that reports have in common.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/quantity.h"

namespace spillway {

// "1 state", "2,000 states"
inline std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

inline std::string properties_counted(std::uint64_t count) {
  return count == 1 ? "1 property" : fmt::format("{} properties", with_commas(count));
}

}  // namespace spillway
