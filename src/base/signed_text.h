// Texts that are kept for later: a title with the version of the format, lines, and at the end their SHA-256.
//
// The title and the checksum are the same in all versions, so that a text of another version is told from one that
// is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway {

// The body with a last line: the word and the SHA-256 of all before it.
std::string with_checksum(std::string body, std::string_view word);

// The body of such a text.  What is behind the checksum is not looked at: whoever reads the body compares the text with
// what is written for it.  Throws Error(integrity), which begins with `name`.
std::string_view without_checksum(std::string_view text, std::string_view word, const std::string& name);

// Throws Error(usage) if the title of this body has another version, Error(integrity) if it has another title.
void check_title(std::string_view body, std::string_view title, std::uint64_t version, const std::string& name);

// "TITLE VERSION\n"
std::string title_line(std::string_view title, std::uint64_t version);

// Whether this is a SHA-256 as we write it.
bool is_sha256(std::string_view text);

}  // namespace spillway
