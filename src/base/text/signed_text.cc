#include "base/text/signed_text.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "base/hash/sha256.h"

namespace spillway {

std::string with_checksum(std::string body, std::string_view word) {
  const std::string sum = sha256(body);
  return body + fmt::format("{} {}\n", word, sum);
}

std::string_view without_checksum(std::string_view text, std::string_view word,
                                  const std::string& name) {
  const std::string last = fmt::format("{} ", word);
  const std::size_t begin = text.rfind(last);
  if (begin == std::string_view::npos || (begin != 0 && text[begin - 1] != '\n'))
    throw Error(Fault::integrity, name + ": truncated or corrupt");
  const std::string_view body = text.substr(0, begin);
  const std::string_view rest = text.substr(begin + last.size());
  const std::string digest = sha256(body);
  if (!rest.starts_with(digest))
    throw Error(Fault::integrity, name + ": corrupt: the checksum does not match");
  return body;
}

void check_title(std::string_view body, std::string_view title, std::uint64_t version,
                 const std::string& name) {
  const std::string_view line = body.substr(0, body.find('\n'));
  std::uint64_t found = 0;
  const char* const end = line.data() + line.size();
  const bool known = line.starts_with(title) && line.substr(title.size()).starts_with(' ');
  if (known) {
    const auto [stop, error] = std::from_chars(line.data() + title.size() + 1, end, found);
    if (error == std::errc() && stop == end && found == version) return;
    if (error == std::errc() && stop == end)
      throw Error(
          Fault::usage,
          fmt::format("{}: was written by {} version of Spillway (format {}; this one reads "
                      "format {}); resume with that version, or start a new run",
                      name, found < version ? "an older" : "a newer", found, version));
  }
  throw Error(Fault::integrity,
              fmt::format("{}: corrupt: the first line is not '{} {}'", name, title, version));
}

std::string title_line(std::string_view title, std::uint64_t version) {
  return fmt::format("{} {}\n", title, version);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace spillway
