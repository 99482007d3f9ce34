#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

// The length of the UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length == 3 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f))) return 0;
  if (length == 4 && ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f))) return 0;
  return length;
}

// Of at most three bytes: what is longer is never obeyed.
unsigned code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  if (character.size() == 2) return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
  return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
}

// Characters that a terminal obeys, those that turn the text around them, and those that nobody sees.
bool is_control(std::string_view character) {
  struct Range {
    unsigned first, last;
  };
  constexpr Range kObeyed[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200b, 0x200f},
                               {0x2028, 0x202e}, {0x2060, 0x2069}, {0xfeff, 0xfeff}};
  if (character.size() > 3) return false;
  const unsigned code = code_of(character);
  return std::ranges::any_of(kObeyed, [&](const Range& range) { return range.first <= code && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    if (length != 0 && !is_control(character)) {
      shown += character;
    } else {
      for (const char c : character) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  for (;;) {
    const std::size_t end = text.find('\n');
    shown += printable(text.substr(0, end));
    if (end == std::string_view::npos) return shown;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:@%=,";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace spillway
