// The part of a parser that is the same for every language: the current word and the expected one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "language/limits.h"
#include "language/scanner.h"
#include "language/source.h"

namespace spillway {

template <class Word>
class TokenReader {
 public:
  using Token = TokenOf<Word>;

  // REQUIRES: the last token is end_of_text.
  TokenReader(const Source& source, std::vector<Token> tokens)
      : source_(source), tokens_(std::move(tokens)) {}

 protected:
  // Counts a level of nesting while it lives.  Throws if there are too many.
  class Deeper {
   public:
    explicit Deeper(TokenReader& reader, std::uint32_t levels = 1)
        : reader_(reader), levels_(levels) {
      reader_.depth_ += levels_;
      if (reader_.depth_ > kDepthLimit)
        reader_.source_.refuse(reader_.now().position,
                               fmt::format("more than {} levels of nesting", kDepthLimit));
    }
    ~Deeper() { reader_.depth_ -= levels_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    TokenReader& reader_;
    const std::uint32_t levels_;
  };

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t count) const {
    return tokens_[std::min(at_ + count, tokens_.size() - 1)];
  }
  bool at(Word word) const { return now().word == word; }
  bool at_any(std::initializer_list<Word> words) const {
    return std::find(words.begin(), words.end(), now().word) != words.end();
  }

  // Stays at the last token.
  Token take() {
    Token token = now();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(Word word) {
    if (!at(word)) return false;
    take();
    return true;
  }
  Token expect(Word word, const char* what) {
    if (!at(word)) refuse_here(what);
    return take();
  }

  [[noreturn]] void refuse_here(const std::string& expected) const {
    source_.refuse(now().position, fmt::format("expected {}, found {}", expected, shown(now())));
  }
  static std::string shown(const Token& token) {
    if constexpr (requires { Word::text; })
      if (token.word == Word::text) return fmt::format("the string \"{}\"", printable(token.text));
    switch (token.word) {
      case Word::end_of_text: return "the end of the file";
      case Word::number: return fmt::format("the number {}", token.value);
      default: return quoted(token.text);
    }
  }

  const Source& source_;

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace spillway
