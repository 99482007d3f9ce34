#include "ltl/reading/operator_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text/printable.h"
#include "base/text/suggest.h"

namespace spillway::ltl {
namespace {

constexpr std::array kBinary = {
    Binary{"<->", Operator::equivalence, 1},         Binary{"<=>", Operator::equivalence, 1},
    Binary{"<-->", Operator::equivalence, 1},        Binary{"->", Operator::implication, 2, true},
    Binary{"=>", Operator::implication, 2, true},    Binary{"==>", Operator::implication, 2, true},
    Binary{"imply", Operator::implication, 2, true}, Binary{"|", Operator::disjunction, 3},
    Binary{"||", Operator::disjunction, 3},          Binary{"\\/", Operator::disjunction, 3},
    Binary{"or", Operator::disjunction, 3},          Binary{"^", Operator::exclusive_or, 4},
    Binary{"xor", Operator::exclusive_or, 4},        Binary{"&", Operator::conjunction, 5},
    Binary{"&&", Operator::conjunction, 5},          Binary{"/\\", Operator::conjunction, 5},
    Binary{"and", Operator::conjunction, 5},         Binary{"U", Operator::until, 6, true},
    Binary{"R", Operator::release, 6, true},         Binary{"V", Operator::release, 6, true},
    Binary{"W", Operator::weak_until, 6, true},      Binary{"M", Operator::strong_release, 6, true},
};

// What people write for operators.
struct Meant {
  std::string_view written, meant;
};
constexpr std::array kMeant = {
    Meant{"until", "U"},   Meant{"release", "R"}, Meant{"releases", "R"}, Meant{"weak", "W"},
    Meant{"unless", "W"},  Meant{"always", "G"},  Meant{"globally", "G"}, Meant{"eventually", "F"},
    Meant{"finally", "F"}, Meant{"next", "X"},    Meant{"implies", "->"}, Meant{"iff", "<->"},
    Meant{"equiv", "<->"}, Meant{"u", "U"},       Meant{"r", "R"},        Meant{"w", "W"},
    Meant{"AND", "and"},   Meant{"OR", "or"},     Meant{"NOT", "not"},    Meant{"<>", "!="},
    Meant{":=", "="},
};

}  // namespace

const Binary* binary_operator(const Token& token) {
  if (token.kind != TokenKind::word && token.kind != TokenKind::sign) return nullptr;
  const auto found = std::ranges::find(kBinary, token.text, &Binary::spelling);
  return found == kBinary.end() ? nullptr : &*found;
}

std::string meant(std::string_view written) {
  const auto found = std::ranges::find(kMeant, written, &Meant::written);
  if (found != kMeant.end()) return fmt::format("; did you mean '{}'?", found->meant);
  std::vector<std::string_view> known;
  for (const Meant& one : kMeant) known.push_back(one.written);
  for (const Binary& one : kBinary) known.push_back(one.spelling);
  const auto close = nearest(written, known);
  if (!close) return "";
  const auto again = std::ranges::find(kMeant, *close, &Meant::written);
  return fmt::format("; did you mean '{}'?", again != kMeant.end() ? again->meant : *close);
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end";
  if (token.kind == TokenKind::quoted) return fmt::format("\"{}\"", printable(token.text));
  if (token.kind == TokenKind::braced) return fmt::format("{{{}}}", printable(token.text));
  return fmt::format("'{}'", printable(token.text));
}

bool is_one_of(const Token& token, std::initializer_list<std::string_view> texts) {
  return token.kind != TokenKind::quoted && token.kind != TokenKind::braced &&
         std::ranges::find(texts, token.text) != texts.end();
}

bool is_keyword(const Token& token, std::initializer_list<std::string_view> words) {
  std::string lower(token.text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return token.kind == TokenKind::word && std::ranges::find(words, lower) != words.end();
}

}  // namespace spillway::ltl
