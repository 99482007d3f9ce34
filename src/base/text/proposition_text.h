// An atomic proposition of a formula, as a user wrote it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway {

struct PropositionText {
  std::string text;    // a boolean expression in the language of the model
  std::string origin;  // where it was written, for messages: "--ltl", "requests.ltl"
  // Of its first character in `whole`, counted from 1; columns in bytes.
  std::uint32_t line = 1, column = 1;
  // What messages show lines of.  Empty: the text itself.  REQUIRES: otherwise, it contains the
  // text there, but for blanks of the text.
  std::string whole = {};

  std::string_view shown() const { return whole.empty() ? text : whole; }
  // Of the text in what is shown, in bytes.  Throws Error(usage) if it is not there.
  std::size_t offset() const;
};

// True if formulas read the word as a constant or a number, so that no proposition can have this
// name: true, false, 0, 1, 2.
bool is_constant(std::string_view word);

}  // namespace spillway
