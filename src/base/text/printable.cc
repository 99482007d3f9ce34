#include "base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

// The length of a UTF-8 character that begins with this byte; 0 if none does.
std::size_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  if (first < 0xf5) return 4;
  return 0;
}

// The length of the UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = length_by_first(first);
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length == 3 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)))
    return 0;
  if (length == 4 && ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)))
    return 0;
  return length;
}

struct Characters {
  char32_t first, last;
};

// What a terminal obeys instead of showing it, or shows as nothing: controls, marks that change the
// direction of writing, spaces without width, ends of lines and paragraphs, tags.
constexpr Characters kHidden[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},  {0x034f, 0x034f}, {0x061c, 0x061c},
    {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},  {0x200b, 0x200f}, {0x2028, 0x202e},
    {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff},  {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

// REQUIRES: one character of UTF-8.
char32_t code_point(std::string_view character) {
  constexpr unsigned kFirstBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code = static_cast<unsigned char>(character[0]) & kFirstBits[character.size()];
  for (const char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

bool is_hidden(std::string_view character) {
  const char32_t code = code_point(character);
  return std::ranges::any_of(
      kHidden, [&](const Characters& some) { return some.first <= code && code <= some.last; });
}

// All that XML 1.0 allows, but for white space that an attribute would lose.
bool is_xml(std::string_view character) {
  const char32_t code = code_point(character);
  return (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) ||
         (code >= 0x10000 && code <= 0x10ffff);
}

std::string xml_escape(std::string_view character) {
  if (character == "<") return "&lt;";
  if (character == ">") return "&gt;";
  if (character == "&") return "&amp;";
  if (character == "\"") return "&quot;";
  return std::string(character);
}

template <class IsShown, class Show>
std::string escaped(std::string_view text, const IsShown& is_shown, const Show& show) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    if (length != 0 && is_shown(character)) {
      shown += show(character);
    } else {
      for (const char c : character)
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string json_escape(char32_t code) {
  if (code < 0x10000) return fmt::format("\\u{:04x}", static_cast<unsigned>(code));
  const auto rest = static_cast<unsigned>(code - 0x10000);
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
}

}  // namespace

std::string printable(std::string_view text) {
  const auto is_shown = [](std::string_view character) { return !is_hidden(character); };
  return escaped(text, is_shown, [](std::string_view character) { return character; });
}

std::string printable_xml(std::string_view text) {
  const auto is_shown = [](std::string_view character) {
    return !is_hidden(character) && is_xml(character);
  };
  return escaped(text, is_shown, xml_escape);
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

std::string printable_json(std::string_view document) {
  std::string shown;
  while (!document.empty()) {
    const std::size_t length = std::max<std::size_t>(1, character_length(document));
    const std::string_view character = document.substr(0, length);
    // Control characters are white space between members; strings have none.
    const bool space = length == 1 && character[0] < ' ';
    if (!space && is_hidden(character))
      shown += json_escape(code_point(character));
    else
      shown += character;
    document.remove_prefix(length);
  }
  return shown;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:@%=,";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace spillway
