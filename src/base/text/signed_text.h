// Text files with a version and a checksum: a title line with the version of the format, lines, and
// their SHA-256 at the end.
//
// Title and checksum have the same form in all versions, so a text of another version can be told
// from a damaged one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway {

// `body` plus a last line: `word` and the SHA-256 of the body.
std::string with_checksum(std::string body, std::string_view word);

// The body of such a text, as a view into `text`.  Bytes after the checksum are not examined:
// readers compare the text with what they would write for the body.  Throws Error(integrity),
// beginning with `name`.
std::string_view without_checksum(std::string_view text, std::string_view word,
                                  const std::string& name);

// Throws Error(usage) if the title line of `body` has another version, Error(integrity) if it has
// another title.
void check_title(std::string_view body, std::string_view title, std::uint64_t version,
                 const std::string& name);

// "TITLE VERSION\n"
std::string title_line(std::string_view title, std::uint64_t version);

// True if `text` is a SHA-256 as this program writes it: 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view text);

}  // namespace spillway
