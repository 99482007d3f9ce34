#include "language/murphi/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace spillway::murphi {
namespace {

const std::unordered_map<std::string_view, Word>& keywords() {
  static const std::unordered_map<std::string_view, Word> table = {
      {"alias", Word::alias_},
      {"array", Word::array_},
      {"assert", Word::assert_},
      {"assume", Word::assume_},
      {"begin", Word::begin_},
      {"boolean", Word::boolean_},
      {"by", Word::by_},
      {"case", Word::case_},
      {"choose", Word::choose_},
      {"clear", Word::clear_},
      {"const", Word::const_},
      {"cover", Word::cover_},
      {"do", Word::do_},
      {"else", Word::else_},
      {"elsif", Word::elsif_},
      {"end", Word::end_},
      {"endalias", Word::end_alias},
      {"endchoose", Word::end_choose},
      {"endexists", Word::end_exists},
      {"endfor", Word::end_for},
      {"endforall", Word::end_forall},
      {"endfunction", Word::end_function},
      {"endif", Word::end_if},
      {"endprocedure", Word::end_procedure},
      {"endrecord", Word::end_record},
      {"endrule", Word::end_rule},
      {"endruleset", Word::end_ruleset},
      {"endstartstate", Word::end_startstate},
      {"endswitch", Word::end_switch},
      {"endwhile", Word::end_while},
      {"enum", Word::enum_},
      {"error", Word::error_},
      {"exists", Word::exists_},
      {"false", Word::false_},
      {"for", Word::for_},
      {"forall", Word::forall_},
      {"function", Word::function_},
      {"if", Word::if_},
      {"invariant", Word::invariant_},
      {"ismember", Word::is_member},
      {"isundefined", Word::is_undefined},
      {"liveness", Word::liveness_},
      {"multiset", Word::multiset_},
      {"multisetadd", Word::multiset_add},
      {"multisetcount", Word::multiset_count},
      {"multisetremove", Word::multiset_remove},
      {"multisetremovepred", Word::multiset_remove_pred},
      {"of", Word::of_},
      {"procedure", Word::procedure_},
      {"put", Word::put_},
      {"real", Word::real_},
      {"record", Word::record_},
      {"return", Word::return_},
      {"rule", Word::rule_},
      {"ruleset", Word::ruleset_},
      {"scalarset", Word::scalarset_},
      {"startstate", Word::startstate_},
      {"switch", Word::switch_},
      {"then", Word::then_},
      {"to", Word::to_},
      {"true", Word::true_},
      {"type", Word::type_},
      {"undefine", Word::undefine_},
      {"union", Word::union_},
      {"var", Word::var_},
      {"while", Word::while_},
  };
  return table;
}

// A sign comes before its prefixes.
constexpr std::pair<std::string_view, Word> kSigns[] = {
    {"==>", Word::then_fires},
    {":=", Word::becomes},
    {"..", Word::dot_dot},
    {"->", Word::implies},
    {"||", Word::bar_bar},
    {"&&", Word::ampersand_ampersand},
    {"==", Word::equal},
    {"!=", Word::unequal},
    {"<=", Word::less_equal},
    {">=", Word::greater_equal},
    {"<<", Word::shift_left},
    {">>", Word::shift_right},
    {";", Word::semicolon},
    {":", Word::colon},
    {",", Word::comma},
    {".", Word::dot},
    {"(", Word::open_round},
    {")", Word::close_round},
    {"[", Word::open_square},
    {"]", Word::close_square},
    {"{", Word::open_curly},
    {"}", Word::close_curly},
    {"?", Word::question},
    {"|", Word::bar},
    {"^", Word::caret},
    {"&", Word::ampersand},
    {"!", Word::exclamation},
    {"~", Word::tilde},
    {"=", Word::equal},
    {"<", Word::less},
    {">", Word::greater},
    {"+", Word::plus},
    {"-", Word::minus},
    {"*", Word::star},
    {"/", Word::slash},
    {"%", Word::percent},
    {"\xc2\xac", Word::exclamation},              // not sign
    {"\xc3\x97", Word::star},                     // multiplication sign
    {"\xc3\xb7", Word::slash},                    // division sign
    {"\xe2\x86\x92", Word::implies},              // rightwards arrow
    {"\xe2\x87\x92", Word::then_fires},           // rightwards double arrow
    {"\xe2\x88\x80", Word::forall_},              // for all
    {"\xe2\x88\x83", Word::exists_},              // there exists
    {"\xe2\x88\x92", Word::minus},                // minus sign
    {"\xe2\x88\x95", Word::slash},                // division slash
    {"\xe2\x88\xa7", Word::ampersand_ampersand},  // logical and
    {"\xe2\x88\xa8", Word::bar_bar},              // logical or
    {"\xe2\x89\x94", Word::becomes},              // colon equals
    {"\xe2\x89\xa0", Word::unequal},              // not equal to
    {"\xe2\x89\xa4", Word::less_equal},           // less-than or equal to
    {"\xe2\x89\xa5", Word::greater_equal},        // greater-than or equal to
};

constexpr std::string_view kOpenQuote = "\xe2\x80\x9c", kCloseQuote = "\xe2\x80\x9d";

class Lexer : Scanner<Word> {
 public:
  Lexer(Source& source, bool octal) : Scanner(source), octal_(octal) {}

  std::vector<Token> run() { return scan(*this); }

 private:
  friend class Scanner;
  void skip_blanks() {
    while (!at_end()) {
      if (line_end() || blank()) continue;
      if (see("\xc2\xa0"))  // a no-break space
        at_ += 2;
      else if (see("--"))
        skip_line();
      else if (see("/*"))
        comment([] { return false; });
      else
        return;
    }
  }

  void word() {
    const char c = next();
    if (is_letter(c) || c == '_') return name();
    if (is_digit(c)) return number();
    if (c == '"') return string("\"", "\"");
    if (see(kOpenQuote)) return string(kOpenQuote, kCloseQuote);
    if (!sign(kSigns)) unexpected_character();
  }

  static bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

  void name() {
    const std::string_view written = take_while(is_name);
    std::string lower(written);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    add_name(written, keywords(), lower);
  }

  // Notes what is wrong with a number, which is then 0.
  void number() {
    Value value = 0;
    if (const std::string why = wrong_number(value); !why.empty()) {
      take_while(is_name);
      wrong(why);
      value = 0;
    }
    add(Word::number, {}, value);
  }

  // Returns what is wrong with it, or an empty string.
  std::string wrong_number(Value& value) {
    int base = 10;
    if (see("0x") || see("0X")) {
      base = 16;
      at_ += 2;
      if (digit(next()) >= base) return "a hexadecimal number needs digits after '0x'";
    } else if (octal_ && next() == '0') {
      base = 8;
    }
    switch (digits(base, value)) {
      case Digits::fine: break;
      case Digits::of_larger_base:
        return "a number that begins with 0 is octal and cannot contain the digits 8 and 9";
      case Digits::too_many: return "this number does not fit in 64 bits";
    }
    if (is_name(next())) return "a number must not be followed by a letter";
    if (next() == '.' && is_digit(text_.substr(at_ + 1, 1).empty() ? '\0' : text_[at_ + 1])) {
      ++at_;
      return "real numbers are not supported, because states must be finite";
    }
    return "";
  }

  void string(std::string_view open, std::string_view close) {
    at_ += open.size();
    std::string text;
    while (!see(close)) {
      if (next() == '\\' && (text_.substr(at_ + 1, 1) == "\"" || text_.substr(at_ + 1, 1) == "\\"))
        ++at_;
      if (at_end() || next() == '\n' || next() == '\r') {
        wrong("unterminated string: the closing quote is missing");
        return add(Word::text, std::move(text));
      }
      text += next();
      ++at_;
    }
    at_ += close.size();
    add(Word::text, std::move(text));
  }

  const bool octal_;
};

}  // namespace

std::vector<Token> split(Source& source, bool octal) { return Lexer(source, octal).run(); }

std::optional<Word> keyword(std::string_view name) {
  const auto found = keywords().find(name);
  return found == keywords().end() ? std::nullopt : std::optional(found->second);
}

}  // namespace spillway::murphi
