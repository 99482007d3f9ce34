#include "base/text/proposition_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/lines.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

// Of the first byte of a line; npos: there is no such line.
std::size_t start_of_line(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    if (end_of_line(text, at) == text.size()) return std::string_view::npos;
    at = next_line(text, at);
  }
  return at;
}

// Comments of formulas are blanks in the proposition.
bool stands_there(std::string_view proposition, std::string_view shown) {
  return std::ranges::equal(proposition, shown,
                            [](char mine, char there) { return mine == there || mine == ' '; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_constant(std::string_view word) {
  return word == "true" || word == "false" ||
         (!word.empty() && std::ranges::all_of(word, is_digit));
}

std::size_t PropositionText::offset() const {
  if (whole.empty()) return 0;
  const std::size_t start = start_of_line(whole, line);
  const std::size_t at = start == std::string::npos ? start : start + column - 1;
  if (at > whole.size() || !stands_there(text, std::string_view(whole).substr(at, text.size())))
    throw Error(Fault::usage, fmt::format("{}: the proposition '{}' is not at line {}, column {}",
                                          printable(origin), printable(text), line, column));
  return at;
}

}  // namespace spillway
