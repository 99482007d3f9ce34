// The part of a lexer that is the same for every language: positions, lines, signs.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/lines.h"
#include "language/source.h"
#include "program/program.h"

namespace spillway {

// Word enumerates the words of a language.  REQUIRES: it has end_of_text, name, number and comma.
template <class Word>
struct TokenOf {
  Word word = Word::end_of_text;
  program::Position position;
  std::string text;          // as written; a string without its quotes; empty for a number
  program::Value value = 0;  // of a number
};

// A name in a tree.
struct Name {
  std::string text;
  program::Position position;
};

template <class Word>
class Scanner {
 public:
  explicit Scanner(Source& source) : source_(source), text_(source.text()) {}

 protected:
  program::Position here() const {
    const auto at = static_cast<std::uint32_t>(at_);
    return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1), at, at};
  }
  bool at_end() const { return at_ >= text_.size(); }
  bool see(std::string_view sign) const { return text_.substr(at_, sign.size()) == sign; }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  void skip_line() { at_ = end_of_line(text_, at_); }

  // Consumes the end of a line, if there is one.
  bool line_end() {
    if (!see("\n") && !see("\r")) return false;
    at_ = next_line(text_, at_);
    ++line_;
    line_start_ = at_;
    return true;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  // Consumes one space inside a line, if there is one.
  bool blank() {
    const bool found = next() == ' ' || next() == '\t' || next() == '\f' || next() == '\v';
    if (found) ++at_;
    return found;
  }

  // Consumes a comment between /* and */.  inside() consumes what else cannot end it, if it is
  // there.  REQUIRES: see("/*").
  template <class Inside>
  void comment(Inside inside) {
    const program::Position begin = here();
    at_ += 2;
    while (!see("*/")) {
      if (at_end()) return source_.note({begin, "unterminated comment: '*/' is missing"});
      if (!inside() && !line_end()) ++at_;
    }
    at_ += 2;
  }

  // Returns all words of the text.  skip_blanks() moves to the next one, word() consumes it and
  // calls add().
  template <class Language>
  std::vector<TokenOf<Word>> scan(Language& language) {
    for (;;) {
      language.skip_blanks();
      start_ = here();
      if (at_end()) break;
      const std::size_t before = tokens_.size();
      language.word();
      if (tokens_.size() > before) tokens_.back().position.to = static_cast<std::uint32_t>(at_);
    }
    add(Word::end_of_text, {});
    return std::move(tokens_);
  }

  // Notes that no word begins here, and skips the character.  What follows one beyond ASCII is
  // probably the rest of a name.
  void unexpected_character() {
    const auto beyond_ascii = [&] { return (static_cast<unsigned char>(next()) & 0x80) != 0; };
    const auto continues = [&] { return (static_cast<unsigned char>(next()) & 0xc0) == 0x80; };
    const std::size_t begin = at_;
    const bool part_of_name = beyond_ascii();
    ++at_;
    for (int i = 0; part_of_name && i < 3 && continues(); ++i) ++at_;
    const std::string_view character = text_.substr(begin, at_ - begin);
    program::Position position = start_;
    position.to = static_cast<std::uint32_t>(at_);
    while (part_of_name &&
           (beyond_ascii() || std::isalnum(static_cast<unsigned char>(next())) != 0))
      ++at_;
    source_.note({position, fmt::format("unexpected character {}", quoted(character))});
  }
  // Notes what is wrong with the word that ends here.
  void wrong(std::string why) {
    program::Position position = start_;
    position.to = static_cast<std::uint32_t>(at_);
    source_.note({position, std::move(why)});
  }
  void add(Word word, std::string text, program::Value value = 0) {
    tokens_.push_back({word, start_, std::move(text), value});
  }

  // Consumes characters while they fit.
  template <class Fits>
  std::string_view take_while(Fits fits) {
    const std::size_t begin = at_;
    while (!at_end() && fits(next())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Adds a name, or the keyword that is spelt like this.
  template <class Keywords>
  void add_name(std::string_view written, const Keywords& keywords, std::string_view spelt) {
    const auto keyword = keywords.find(spelt);
    add(keyword == keywords.end() ? Word::name : keyword->second, std::string(written));
  }

  static int digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
  }

  // What is wrong with digits first.
  enum class Digits { fine, of_larger_base, too_many };

  // Consumes all digits, and adds those before the first error to the value.  Up to nine, digits
  // are digits in every base.
  Digits digits(int base, program::Value& value) {
    Digits result = Digits::fine;
    for (; digit(next()) < std::max(base, 10); ++at_) {
      if (result != Digits::fine) continue;
      if (digit(next()) >= base)
        result = Digits::of_larger_base;
      else if (__builtin_mul_overflow(value, program::Value{base}, &value) ||
               __builtin_add_overflow(value, program::Value{digit(next())}, &value))
        result = Digits::too_many;
    }
    return result;
  }

  // Consumes the first of `signs` that the text continues with.  False if there is none.
  template <class Signs>
  bool sign(const Signs& signs) {
    for (const auto& [sign, word] : signs) {
      if (!see(sign)) continue;
      add(word, std::string(sign));
      at_ += sign.size();
      return true;
    }
    return false;
  }

  Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  program::Position start_;  // of the word

 private:
  std::vector<TokenOf<Word>> tokens_;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace spillway
