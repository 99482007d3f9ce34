#include "base/text/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"

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
  return excerpt(line, column, column, column);
}

std::string excerpt(std::string_view line, std::size_t column, std::size_t from, std::size_t to) {
  column = std::min(column, line.size());
  while (column > 0 && !begins_character(line, column)) --column;
  std::size_t first = line.size() > kWidest && column > kBefore ? column - kBefore : 0;
  while (first > 0 && !begins_character(line, first)) ++first;
  std::size_t last = std::min(line.size(), first + kWidest);
  while (!begins_character(line, last)) ++last;
  from = std::clamp(from, first, column);
  to = std::clamp(to, column, last);
  while (from < column && !begins_character(line, from)) ++from;
  while (to > column && !begins_character(line, to)) ++to;

  const std::string before = (first > 0 ? "..." : "") + shown(line.substr(first, from - first));
  const std::string marked_before = shown(line.substr(from, column - from));
  const std::string marked_after = shown(line.substr(column, to - column));
  const std::string after = shown(line.substr(to, last - to)) + (last < line.size() ? "..." : "");
  const std::size_t behind = columns(marked_after);
  return fmt::format("  {}{}{}{}\n  {}{}^{}", before, marked_before, marked_after, after,
                     std::string(columns(before), ' '), std::string(columns(marked_before), '~'),
                     std::string(behind == 0 ? 0 : behind - 1, '~'));
}

}  // namespace spillway
