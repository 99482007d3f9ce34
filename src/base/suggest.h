// "Did you mean ...?"
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace spillway {

// Edits (insert, delete, replace, swap neighbours) from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The one of `known` that is nearest to `word`, if it is near at all.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace spillway
