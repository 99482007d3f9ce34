#include "ltl/reading/lexer.h"

#include <array>
#include <string>

#include "base/text/lines.h"

namespace spillway::ltl {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 20> kSigns = {
    "<-->", "<->", "<=>", "==>", "&&", "||", "->", "=>", "/\\", "\\/",
    "[]",   "<>",  "()",  "==",  "!=", "<=", ">=", "<<", ">>",  ".."};

// What begins a comment in languages of models, and must not do so unseen.
struct Comment {
  std::string_view sign, why;
};
constexpr std::array<Comment, 3> kComments = {{
    {"--", "'--' begins a comment in models, and in formulas # does; write - - for two signs"},
    {"//", "'//' begins a comment in models, and in formulas # does"},
    {"/*", "'/*' begins a comment in models, and in formulas # does"},
}};

bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') ||
         c == '$' || c == '@';
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t from, std::uint32_t to)
      : text_(text.substr(0, to)), at_(from) {}

  std::vector<Token> read() {
    std::vector<Token> found;
    for (;;) {
      skip();
      found.push_back(next());
      if (found.back().kind == TokenKind::end) return found;
    }
  }

 private:
  bool more() const { return at_ < text_.size(); }

  void skip() {
    while (more()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = end_of_line(text_, at_);
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Token next() {
    const auto from = static_cast<std::uint32_t>(at_);
    if (!more()) return {TokenKind::end, "", from, from};
    if (text_[at_] == '"') return quoted(from);
    if (text_[at_] == '{') return braced(from);
    if (starts_word(text_[at_])) return word(from);
    for (const Comment& comment : kComments)
      if (text_.substr(at_).starts_with(comment.sign))
        throw BadFormula{from, from + 2, std::string(comment.why)};
    at_ += sign_length();
    return token(TokenKind::sign, from);
  }

  std::size_t sign_length() const {
    for (const std::string_view sign : kSigns)
      if (text_.substr(at_).starts_with(sign)) return sign.size();
    // A letter outside of ASCII is one sign.
    std::size_t length = 1;
    while (at_ + length < text_.size() && (text_[at_] & 0x80) != 0 &&
           (static_cast<unsigned char>(text_[at_ + length]) & 0xc0) == 0x80)
      ++length;
    return length;
  }

  Token token(TokenKind kind, std::uint32_t from) const {
    return {kind, text_.substr(from, at_ - from), from, static_cast<std::uint32_t>(at_)};
  }

  Token word(std::uint32_t from) {
    while (more() && (starts_word(text_[at_]) || text_[at_] == '\'')) ++at_;
    if (more() && text_[at_] == '#')
      throw BadFormula{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1),
                       "a comment begins behind a blank, and a name with # in it stands in braces"};
    return token(TokenKind::word, from);
  }

  Token quoted(std::uint32_t from) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) throw BadFormula{from, from + 1, "this quote has no end"};
    at_ = end + 1;
    return {TokenKind::quoted, text_.substr(from + 1, end - from - 1), from,
            static_cast<std::uint32_t>(at_)};
  }

  Token braced(std::uint32_t from) {
    std::size_t depth = 0;
    do {
      if (!more()) throw BadFormula{from, from + 1, "'{' without '}'"};
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}') --depth;
      ++at_;
    } while (depth != 0);
    return {TokenKind::braced, text_.substr(from + 1, at_ - from - 2), from,
            static_cast<std::uint32_t>(at_)};
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

std::vector<Token> tokens(std::string_view text, std::uint32_t from, std::uint32_t to) {
  return Lexer(text, from, to).read();
}

std::string without_comments(std::string_view text, std::span<const Token> tokens) {
  const std::uint32_t start = tokens.front().from;
  std::string kept(text.substr(start, tokens.back().to - start));
  for (std::size_t i = 1; i < tokens.size(); ++i)
    for (std::size_t at = tokens[i - 1].to - start; at < tokens[i].from - start; ++at)
      if (kept[at] != '\n' && kept[at] != '\r') kept[at] = ' ';
  return kept;
}

}  // namespace spillway::ltl
