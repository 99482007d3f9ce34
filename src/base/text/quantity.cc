#include "base/text/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace spillway {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view wanted) {
  throw Error(Fault::usage, fmt::format("'{}' is not {}", text, wanted));
}

// Takes the number at the front of `text`.
double take_number(std::string_view& text, std::string_view whole, std::string_view wanted) {
  double number = 0;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (status != std::errc{} || !std::isfinite(number) || number < 0) refuse(whole, wanted);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  // 1023.5 would be shown as 1024.
  while (value >= 1023.5 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, units[unit]);
}

std::string seconds_text(double seconds) {
  // The bounds are those at which the rounded text would be longer.
  if (seconds < 59.95) return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::uint64_t parse_bytes(std::string_view text) {
  constexpr std::string_view wanted = "a size such as 512M, 1.5G or 2T";
  std::string_view rest = text;
  double value = take_number(rest, text, wanted);
  if (!rest.empty()) {
    constexpr std::string_view letters = "KMGT";
    const std::size_t power = letters.find(static_cast<char>(rest[0] & ~0x20));
    if (rest != "B" && power == std::string_view::npos) refuse(text, wanted);
    if (power != std::string_view::npos) {
      value = std::ldexp(value, 10 * (static_cast<int>(power) + 1));
      rest.remove_prefix(1);
    }
    if (!rest.empty() && rest != "B" && rest != "iB") refuse(text, wanted);
  }
  if (!(value < 0x1p63)) refuse(text, wanted);
  return static_cast<std::uint64_t>(value);
}

double parse_seconds(std::string_view text) {
  constexpr std::string_view wanted = "a duration such as 90s, 15m, 2h or 1h30m";
  std::string_view rest = text;
  double seconds = 0;
  do {
    const double value = take_number(rest, text, wanted);
    double unit = 1;
    if (!rest.empty()) {
      switch (rest[0]) {
        case 's': unit = 1; break;
        case 'm': unit = 60; break;
        case 'h': unit = 3600; break;
        case 'd': unit = 86400; break;
        default: refuse(text, wanted);
      }
      rest.remove_prefix(1);
    }
    seconds += value * unit;
  } while (!rest.empty());
  return seconds;
}

std::uint64_t parse_count(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size())
    refuse(text, "a whole number");
  return number;
}

}  // namespace spillway
