// A line of a file and a mark under the place that is meant.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

// Two lines, indented: the part of `line` around `column` (from 0), and a caret below it.  Tabs are shown as one
// blank and what cannot be printed as printable() does, so the caret is where it belongs.
std::string excerpt(std::string_view line, std::size_t column);

}  // namespace spillway
