// The part of a parser that is the same for every language: the current word and the expected one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/text/printable.h"
#include "language/limits.h"
#include "language/scanner.h"
#include "language/source.h"

namespace spillway {

template <class Word>
class TokenReader {
 public:
  using Token = TokenOf<Word>;

  // REQUIRES: the last token is end_of_text.
  TokenReader(Source& source, std::vector<Token> tokens)
      : source_(source), tokens_(std::move(tokens)) {
    indents_.reserve(tokens_.size());
    for (const Token& token : tokens_) {
      const bool first = indents_.empty() || line_of_last_indent_ != token.position.line;
      indents_.push_back(first ? token.position.column : indents_.back());
      line_of_last_indent_ = token.position.line;
    }
  }

 protected:
  using Index = std::size_t;  // of a token

  // Counts a level of nesting while it lives.  Refuses the text if there are too many.
  class Deeper {
   public:
    explicit Deeper(TokenReader& reader, std::uint32_t levels = 1)
        : reader_(reader), levels_(levels) {
      if (reader_.depth_ + levels_ > kDepthLimit)
        reader_.source_.give_up(reader_.now().position,
                                fmt::format("more than {} levels of nesting", kDepthLimit));
      reader_.depth_ += levels_;
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

  Index index() const { return at_; }
  const Token& token(Index index) const { return tokens_[index]; }
  // The column of the first token on the line of this one.
  std::uint32_t indent(Index index) const { return indents_[index]; }
  bool begins_line(Index index) const { return indents_[index] == tokens_[index].position.column; }
  // The end of the last token that was taken, as a byte of the text.
  std::uint32_t end_of_last() const { return at_ == 0 ? 0 : tokens_[at_ - 1].position.to; }

  // Takes the current token for another word.
  void change_word(Word word) { tokens_[at_].word = word; }

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

  // What one() reads, once or more, with commas between.
  template <class One>
  auto list(One one) {
    std::vector<decltype(one())> all;
    do all.push_back(one());
    while (accept(Word::comma));
    return all;
  }

  // Passes at least the token at `begin`, up to one where stop() is true.
  template <class Stop>
  void skip(Index begin, Stop stop) {
    for (; !at(Word::end_of_text); take())
      if (index() != begin && stop()) return;
  }

  [[noreturn]] void refuse(program::Position position, std::string why) const {
    Source::refuse(position, std::move(why));
  }
  [[noreturn]] void refuse_here(const std::string& expected) const {
    refuse(now().position, wrong_here(expected));
  }
  std::string wrong_here(const std::string& expected) const {
    return fmt::format("expected {}, found {}", expected, shown(now()));
  }

  // Runs `parse`.  If it refuses the text, notes why and returns false; the reader is then at the
  // token where the parser stopped.
  template <class Parse>
  bool attempt(Parse parse) {
    try {
      parse();
      return true;
    } catch (const Refused& refused) {
      source_.note(refused);
      return false;
    }
  }

  std::string shown(const Token& token) const {
    if constexpr (requires { Word::text; })
      if (token.word == Word::text) return fmt::format("the string \"{}\"", printable(token.text));
    switch (token.word) {
      case Word::end_of_text: return std::string(source_.end_name());
      case Word::number: return fmt::format("the number {}", token.value);
      default: return quoted(token.text);
    }
  }

  Source& source_;

 private:
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> indents_;  // of the lines of the tokens
  std::uint32_t line_of_last_indent_ = 0;
  Index at_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace spillway
