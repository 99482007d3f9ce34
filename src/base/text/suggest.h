// "Did you mean ...?"
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace spillway {

// Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The element of `known` closest to `word`, at most one edit for three letters away, or one that
// begins with it if it has three letters or more.  Upper and lower case are the same.  std::nullopt
// if none is close, and for a single letter.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known);

}  // namespace spillway
