// Line ends of a text, for everybody who reads one: models, formulas, graphs, messages.  Two
// readers that cut a text in different ways do not read the same text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace spillway {

// Lines end with LF, CR LF or CR.  The end of the line that the byte `at` is in: of what ends it,
// or of the text.
inline std::size_t end_of_line(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

// The first byte of the next line; the size of the text if there is none.
inline std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = end_of_line(text, at);
  return std::min(end + (text.substr(end).starts_with("\r\n") ? 2U : 1U), text.size());
}

// A text without the mark that some editors put before it.
inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace spillway
