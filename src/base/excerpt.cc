#include "base/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace spillway {
namespace {

constexpr std::size_t kWidest = 100;  // bytes of the line that are shown
constexpr std::size_t kBefore = 60;   // of them before the column, if the line is longer

std::string shown(std::string_view part) {
  std::string blanks(part);
  std::replace(blanks.begin(), blanks.end(), '\t', ' ');
  return printable(blanks);
}

// Characters, not bytes: what printable() leaves is UTF-8.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

bool begins_character(std::string_view line, std::size_t i) {
  return i >= line.size() || (static_cast<unsigned char>(line[i]) & 0xc0) != 0x80;
}

}  // namespace

std::string excerpt(std::string_view line, std::size_t column) {
  column = std::min(column, line.size());
  while (column > 0 && !begins_character(line, column)) --column;
  std::size_t from = line.size() > kWidest && column > kBefore ? column - kBefore : 0;
  while (from > 0 && !begins_character(line, from)) ++from;
  std::size_t to = std::min(line.size(), from + kWidest);
  while (!begins_character(line, to)) ++to;
  const std::string before = (from > 0 ? "..." : "") + shown(line.substr(from, column - from));
  const std::string after =
      shown(line.substr(column, to - column)) + (to < line.size() ? "..." : "");
  return fmt::format("  {}{}\n  {:>{}}", before, after, "^", columns(before) + 1);
}

}  // namespace spillway
