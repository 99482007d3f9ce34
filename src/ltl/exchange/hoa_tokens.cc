#include "ltl/exchange/hoa_tokens.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text/printable.h"

namespace spillway::ltl {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hoa_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// Tools put a dot into the names of headers of their own.
bool is_name(char c) { return is_digit(c) || is_hoa_letter(c) || c == '-' || c == '.'; }

class HoaLexer {
 public:
  explicit HoaLexer(std::string_view text) : text_(text) {}

  std::vector<HoaToken> read() {
    std::vector<HoaToken> found;
    do {
      skip();
      HoaToken token;
      token.from = static_cast<std::uint32_t>(at_);
      if (more()) read_token(token);
      token.to = static_cast<std::uint32_t>(at_);
      found.push_back(std::move(token));
    } while (found.back().kind != HoaKind::end);
    return found;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  bool at(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  [[noreturn]] void refuse(std::size_t from, std::string message) const {
    throw BadFormula{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(from + 1),
                     std::move(message)};
  }

  // Blanks, and comments, which may contain comments.
  void skip() {
    std::size_t open = 0, first = 0;
    while (more()) {
      if (at("/*")) {
        if (open++ == 0) first = at_;
        at_ += 2;
      } else if (open != 0 && at("*/")) {
        --open;
        at_ += 2;
      } else if (open != 0 || text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
    if (open != 0) refuse(first, "this comment has no end");
  }

  std::string name() {
    const std::size_t from = at_;
    while (more() && is_name(text_[at_])) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  void read_token(HoaToken& token) {
    const char c = text_[at_];
    for (const std::string_view marker : {"--BODY--", "--END--", "--ABORT--"})
      if (at(marker)) {
        at_ += marker.size();
        token.kind = HoaKind::marker;
        token.text = marker;
        return;
      }
    if (is_digit(c)) return read_number(token);
    if (c == '"') return read_string(token);
    if (c == '@') {
      ++at_;
      token.kind = HoaKind::alias;
      token.text = name();
    } else if (is_hoa_letter(c)) {
      token.kind = HoaKind::word;
      token.text = name();
      if (more() && text_[at_] == ':') {
        token.kind = HoaKind::header;
        ++at_;
      }
    } else {
      if (std::string_view("[]{}()!&|").find(c) == std::string_view::npos)
        refuse(at_, fmt::format("'{}' has no meaning here", printable(text_.substr(at_, 1))));
      token.kind = HoaKind::sign;
      token.text = c;
      ++at_;
    }
  }

  void read_number(HoaToken& token) {
    const std::size_t from = at_;
    while (more() && is_digit(text_[at_])) ++at_;
    token.kind = HoaKind::number;
    token.text = text_.substr(from, at_ - from);
    const char* end = token.text.data() + token.text.size();
    if (std::from_chars(token.text.data(), end, token.number).ec != std::errc())
      refuse(from, "this number is too large");
  }

  void read_string(HoaToken& token) {
    const std::size_t from = at_++;
    token.kind = HoaKind::string;
    for (; more() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (more()) token.text += text_[at_];
    }
    if (!more()) refuse(from, "this string has no end");
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<HoaToken> hoa_tokens(std::string_view text) { return HoaLexer(text).read(); }

}  // namespace spillway::ltl
