#include "language/dve/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace spillway::dve {
namespace {

constexpr Value kLargestNumber = 0x7fffffff;

const std::unordered_map<std::string_view, Word>& keywords() {
  static const std::unordered_map<std::string_view, Word> table = {
      {"accept", Word::accept_}, {"and", Word::and_},         {"assert", Word::assert_},
      {"async", Word::async_},   {"byte", Word::byte_},       {"channel", Word::channel_},
      {"commit", Word::commit_}, {"const", Word::const_},     {"effect", Word::effect_},
      {"false", Word::false_},   {"guard", Word::guard_},     {"imply", Word::imply_},
      {"init", Word::init_},     {"int", Word::int_},         {"not", Word::not_},
      {"or", Word::or_},         {"process", Word::process_}, {"property", Word::property_},
      {"state", Word::state_},   {"sync", Word::sync_},       {"system", Word::system_},
      {"trans", Word::trans_},   {"true", Word::true_},
  };
  return table;
}

// A sign comes before its prefixes.
constexpr std::pair<std::string_view, Word> kSigns[] = {
    {"->", Word::arrow},      {"=>", Word::fat_arrow},   {"==", Word::equal},
    {"!=", Word::unequal},    {"<=", Word::less_equal},  {">=", Word::greater_equal},
    {"<<", Word::shift_left}, {">>", Word::shift_right}, {"&&", Word::and_},
    {"||", Word::or_},        {";", Word::semicolon},    {":", Word::colon},
    {",", Word::comma},       {".", Word::dot},          {"(", Word::open_round},
    {")", Word::close_round}, {"[", Word::open_square},  {"]", Word::close_square},
    {"{", Word::open_curly},  {"}", Word::close_curly},  {"=", Word::assign},
    {"!", Word::exclamation}, {"?", Word::question},     {"|", Word::bar},
    {"^", Word::caret},       {"&", Word::ampersand},    {"~", Word::tilde},
    {"<", Word::less},        {">", Word::greater},      {"+", Word::plus},
    {"-", Word::minus},       {"*", Word::star},         {"/", Word::slash},
    {"%", Word::percent},
};

class Lexer : Scanner<Word> {
 public:
  explicit Lexer(Source& source) : Scanner(source) {}

  std::vector<Token> run() { return scan(*this); }

 private:
  friend class Scanner;
  void skip_blanks() {
    while (!at_end()) {
      if (line_end() || blank() || line_comment()) continue;
      if (see("\\\n") || see("\\\r"))
        ++at_;
      else if (see("/*"))
        comment([&] { return line_comment(); });
      else
        return;
    }
  }

  // As in DiVinE, a */ after // on the same line does not end a comment.  Models rely on it.
  bool line_comment() {
    if (!see("//")) return false;
    skip_line();
    return true;
  }

  void word() {
    if (begins_name(next())) return name();
    if (is_digit(next())) return number();
    if (sign(kSigns)) return;
    if (next() != '"') return unexpected_character();
    const std::size_t begin = at_;
    skip_line();
    const std::size_t close = text_.find('"', begin + 1);
    if (close < at_) at_ = close + 1;
    wrong("DVE has no strings, and formulas in the model are not supported");
  }

  static bool begins_name(char c) { return is_letter(c) || c == '_'; }
  static bool is_name(char c) { return begins_name(c) || is_digit(c) || c == '$' || c == '#'; }

  void name() {
    const std::string_view written = take_while(is_name);
    add_name(written, keywords(), written);
  }

  // A number with an error is 0.
  void number() {
    Value value = 0;
    const bool too_large = digits(10, value) != Digits::fine || value > kLargestNumber;
    const bool letter = !take_while(is_name).empty();
    if (letter)
      wrong("a number must not be followed by a letter");
    else if (too_large)
      wrong(fmt::format("this number is too large; the largest is {}", kLargestNumber));
    add(Word::number, {}, letter || too_large ? 0 : value);
  }
};

}  // namespace

std::vector<Token> split(Source& source) { return Lexer(source).run(); }

}  // namespace spillway::dve
