// A source line with a caret under one column, for error messages.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

// Two indented lines: the part of `line` around byte `column` (from 0), and a caret below it.  A
// tab is shown as one blank and unprintable bytes as by printable(), so the caret is in the right
// place.
std::string excerpt(std::string_view line, std::size_t column);

// The same with the bytes from `from` to before `to` underlined: `~~^~~`.
std::string excerpt(std::string_view line, std::size_t column, std::size_t from, std::size_t to);

}  // namespace spillway
