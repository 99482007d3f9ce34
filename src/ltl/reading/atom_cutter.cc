#include "ltl/reading/atom_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/set_mask.h"
#include "ltl/reading/operator_tokens.h"

namespace spillway::ltl {
namespace {

[[noreturn]] void refuse(const Token& at, std::string message) {
  throw BadFormula{at.from, std::max(at.to, at.from + 1), std::move(message)};
}

bool is_number(const Token& token) {
  return token.kind == TokenKind::word &&
         token.text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool AtomCutter::is_bound(const Token& token) const {
  return token.kind == TokenKind::word &&
         std::ranges::find(bound_names_, token.text) != bound_names_.end();
}

// Signs after which an atom goes on.
bool AtomCutter::continues_atom(const Token& token) {
  return token.kind == TokenKind::sign &&
         is_one_of(token, {"=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "<<",
                           ">>", ".", "[", "?"});
}

std::size_t AtomCutter::after_group(std::size_t at) const {
  std::vector<std::size_t> open;
  const std::size_t first = at;
  do {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::end)
      refuse(tokens_[open.empty() ? first : open.back()],
             tokens_[open.empty() ? first : open.back()].is_sign("[") ? "'[' without ']'"
                                                                      : "'(' without ')'");
    if (token.is_sign("(") || token.is_sign("[")) open.push_back(at);
    if (token.is_sign(")") || token.is_sign("]")) {
      const bool matches = tokens_[open.back()].is_sign("(") == token.is_sign(")");
      if (!matches)
        refuse(token, fmt::format("'{}' without '{}'", token.text, token.text == ")" ? "(" : "["));
      open.pop_back();
    }
    ++at;
  } while (!open.empty());
  return at;
}

// forall and exists, which end with a word of their own.
std::size_t AtomCutter::after_quantifier(std::size_t at) const {
  std::size_t open = 0;
  const std::size_t first = at;
  do {
    const Token& token = tokens_[at];
    if (token.kind == TokenKind::end)
      refuse(tokens_[first],
             fmt::format("'{}' has no end: write end{}", tokens_[first].text, tokens_[first].text));
    if (is_keyword(token, {"forall", "exists"})) ++open;
    if (is_keyword(token, {"endforall", "endexists", "end"})) --open;
    ++at;
  } while (open != 0);
  return at;
}

// A value with its indices, members and arguments.
std::size_t AtomCutter::after_primary(std::size_t at) const {
  while (is_one_of(tokens_[at], {"-", "!", "~"}) || is_keyword(tokens_[at], {"not"})) ++at;
  const Token& token = tokens_[at];
  if (is_keyword(token, {"forall", "exists"})) return after_quantifier(at);
  const bool word = token.kind == TokenKind::word;
  if (token.is_sign("("))
    at = after_group(at);
  else if (token.kind == TokenKind::end || token.kind == TokenKind::sign)
    refuse(tokens_[at - 1], fmt::format("'{}' has nothing on its right", tokens_[at - 1].text));
  else
    ++at;
  for (;;) {
    if (tokens_[at].is_sign("[") || (tokens_[at].is_sign("(") && word))
      at = after_group(at);
    else if (tokens_[at].is_sign("()") && word)
      ++at;
    else if (tokens_[at].is_sign(".") && tokens_[at + 1].kind == TokenKind::word)
      at += 2;
    else
      return at;
  }
}

// From ? to its colon, with whatever stands between them.
std::size_t AtomCutter::after_choice(std::size_t at) const {
  std::size_t open = 0;
  const std::size_t first = at;
  do {
    if (tokens_[at].kind == TokenKind::end) refuse(tokens_[first], "'?' without ':'");
    if (tokens_[at].is_sign("?")) ++open;
    if (tokens_[at].is_sign(":")) --open;
    if (tokens_[at].is_sign("(") || tokens_[at].is_sign("["))
      at = after_group(at);
    else
      ++at;
  } while (open != 0);
  return at;
}

std::size_t AtomCutter::after_atom(std::size_t at) const {
  at = after_primary(at);
  for (;;) {
    if (!continues_atom(tokens_[at])) return at;
    at = after_primary(tokens_[at].is_sign("?") ? after_choice(at) : at + 1);
  }
}

AtomCutter::Cut AtomCutter::cut_as_it_stands(std::size_t at) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const Token& token = tokens_[at];
  const std::size_t first = token.text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) refuse(token, "nothing stands between these");
  const std::string inside(
      token.text.substr(first, token.text.find_last_not_of(kBlanks) + 1 - first));
  const auto begin = static_cast<std::uint32_t>(token.from + 1 + first);
  return {at + 1, std::nullopt, number_of(inside, {inside, begin})};
}

AtomCutter::Cut AtomCutter::cut(std::size_t at) {
  const Token& first = tokens_[at];
  if (first.kind == TokenKind::quoted || first.kind == TokenKind::braced)
    return cut_as_it_stands(at);
  const std::size_t end = after_atom(at);
  std::string key;
  for (std::size_t i = at; i < end; ++i) {
    if (i != at) key += ' ';
    key += text_.substr(tokens_[i].from, tokens_[i].to - tokens_[i].from);
  }
  if (key == "true" || key == "1") return {end, true};
  if (key == "false" || key == "0") return {end, false};
  const Token& last = tokens_[end - 1];
  if (is_number(last) && key.find_first_not_of("- ") == key.size() - last.text.size())
    refuse(last, fmt::format(
                     "'{0}' is a number and no condition; arithmetic stands in braces: {{x & {0}}}",
                     last.text));
  const auto all = std::span(tokens_).subspan(at, end - at);
  return {end, std::nullopt, number_of(std::move(key), {without_comments(text_, all), first.from})};
}

std::uint32_t AtomCutter::number_of(std::string key, FoundAtom atom) {
  const auto [entry, is_new] =
      numbers_.emplace(std::move(key), static_cast<std::uint32_t>(atoms_.size()));
  if (is_new) {
    if (atoms_.size() == kMostPropositions)
      throw BadFormula{atom.from, atom.to(),
                       fmt::format("the formula has more than {} different propositions; split it "
                                   "into several formulas",
                                   kMostPropositions)};
    atoms_.push_back(std::move(atom));
  }
  return entry->second;
}

}  // namespace spillway::ltl
