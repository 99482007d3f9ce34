#include "base/proposition_text.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"

namespace spillway {
namespace {

// Of the first byte of a line; npos: there is no such line.
std::size_t start_of_line(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    at = text.find_first_of("\r\n", at);
    if (at == std::string_view::npos) return at;
    at += text.substr(at, 2) == "\r\n" ? 2U : 1U;
  }
  return at;
}

}  // namespace

std::size_t PropositionText::offset() const {
  if (whole.empty()) return 0;
  const std::size_t start = start_of_line(whole, line);
  const std::size_t at = start == std::string::npos ? start : start + column - 1;
  if (at > whole.size() || whole.compare(at, text.size(), text) != 0)
    throw Error(Fault::usage, fmt::format("{}: the proposition '{}' is not at line {}, column {}",
                                          printable(origin), printable(text), line, column));
  return at;
}

}  // namespace spillway
