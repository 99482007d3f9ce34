// Makes names from models, files and command lines safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

// Escapes control characters, characters that change the direction of writing or have no width, and
// bytes that are not valid UTF-8.
std::string printable(std::string_view text);

// Same as the value of an attribute in XML 1.0.  What XML cannot hold is escaped as well: there are
// characters that it does not even allow as references.
std::string printable_xml(std::string_view text);

// Same for a message that quotes such names: line breaks are kept.
std::string printable_lines(std::string_view text);

// An equivalent JSON document with such characters as \u escapes.  REQUIRES: valid JSON.
std::string printable_json(std::string_view document);

// Quotes `text` as one word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace spillway
