// The words and signs of a formula.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::ltl {

enum class TokenKind : std::uint8_t {
  end,
  word,    // a name or a number
  quoted,  // "...": an atom, whatever is in it
  braced,  // {...}
  sign,    // anything else: operators, parentheses, comparisons
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;           // without the quotes or braces
  std::uint32_t from = 0, to = 0;  // bytes of the whole text
  bool is(std::string_view what) const { return text == what && kind >= TokenKind::word; }
  bool is_sign(std::string_view what) const { return kind == TokenKind::sign && text == what; }
};

// What is wrong with a formula, and where.
struct BadFormula {
  std::uint32_t from, to;
  std::string message;
};

// The tokens of text[from, to), and one of the kind `end`.  Blanks, ends of lines and comments from
// # to the end of a line only separate.  Throws BadFormula for quotes and braces that do not end.
// The tokens refer to `text`.
//
// This alone decides what is a comment in a formula.  What stands in quotes or braces is read by
// the language of the model, with its comments.  Outside of them, signs of comments of such a
// language are refused, and so is a # within a name.
std::vector<Token> tokens(std::string_view text, std::uint32_t from, std::uint32_t to);

// The text from the first of these tokens to the last, with blanks for comments between them: every
// reader then sees the same words, where they were written.  REQUIRES: there is a token.
std::string without_comments(std::string_view text, std::span<const Token> tokens);

}  // namespace spillway::ltl
