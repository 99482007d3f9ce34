// Names from models, files and command lines as they may be printed on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

// Control characters, marks that change the direction of writing or have no width, and bytes that are no UTF-8 are
// shown, not obeyed.
std::string printable(std::string_view text);

// The same for a message of ours that quotes such names: lines stay lines.
std::string printable_lines(std::string_view text);

// A JSON document that means the same, with such characters as escapes.  REQUIRES: valid JSON.
std::string printable_json(std::string_view document);

// As one word of a shell's command.
std::string shell_word(const std::string& text);

}  // namespace spillway
