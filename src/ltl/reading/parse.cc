#include "ltl/reading/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/text/lines.h"
#include "base/text/printable.h"
#include "ltl/reading/bad_formula.h"
#include "ltl/reading/lexer.h"
#include "ltl/reading/parse_part.h"
#include "ltl/reading/parser.h"

namespace spillway::ltl {
namespace {

// Where the formula of a line begins, after `name:`.  std::nullopt if it has no name.
std::optional<std::size_t> after_name(std::string_view line, std::string& name) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  std::size_t at = 0;
  if (line.starts_with('"')) {
    at = line.find('"', 1);
    if (at == std::string_view::npos) return std::nullopt;
    name = line.substr(1, at - 1);
    ++at;
  } else {
    at = line.find_first_of(" \t:\"{}()[]=<>&|!?");
    if (at == std::string_view::npos) return std::nullopt;
    name = line.substr(0, at);
  }
  while (at < line.size() && blank(line[at])) ++at;
  if (name.empty() || at == line.size() || line[at] != ':') return std::nullopt;
  return at + 1;
}

// White space with an end of a line in it becomes one blank.
std::string in_one_line(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t word = std::min(text.find_first_not_of(kBlanks, at), text.size());
    const std::string_view blanks = text.substr(at, word - at);
    line += end_of_line(blanks, 0) < blanks.size() ? " " : blanks;
    at = std::min(text.find_first_of(kBlanks, word), text.size());
    line += text.substr(word, at - word);
  }
  return line;
}

class FormulaReader {
 public:
  FormulaReader(std::string_view text, Lines lines) : text_(text), lines_(lines) {
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size(); at = next_line(text, at))
      read_line(at, text.substr(at, end_of_line(text, at) - at), ++number);
    for (NamedFormula& formula : formulas_) finish(formula);
  }

  std::vector<NamedFormula> take() { return std::move(formulas_); }

 private:
  void read_line(std::size_t at, std::string_view line, std::uint32_t number) {
    const std::size_t content = line.find_first_not_of(" \t\v\f");
    if (content == std::string_view::npos) return;
    const bool continues = lines_ == Lines::one_formula ? !formulas_.empty() : content != 0;
    // Whether a # in a line that continues a formula begins a comment is for tokens() to decide.
    if (line[content] == '#' && (!continues || formulas_.empty())) return;
    const auto start = static_cast<std::uint32_t>(at + content);
    const auto end = static_cast<std::uint32_t>(at + line.size());
    if (continues) {
      if (formulas_.empty())
        throw BadFormula{start, end,
                         "a line that begins with a blank continues a formula, and there is none"};
      formulas_.back().to = end;
      return;
    }
    line.remove_prefix(content);
    NamedFormula formula{.name = {}, .text = {}, .line = number, .from = start, .to = end};
    if (const auto after = after_name(line, formula.name)) {
      formula.has_name = true;
      formula.from = start + static_cast<std::uint32_t>(*after);
      const auto [entry, is_new] = named_in_.emplace(formula.name, number);
      if (!is_new)
        throw BadFormula{start, formula.from - 1,
                         fmt::format("there is a formula '{}' already, in line {}",
                                     printable(formula.name), entry->second)};
    }
    formulas_.push_back(std::move(formula));
  }

  void finish(NamedFormula& formula) {
    const std::vector<Token> found = tokens(text_, formula.from, formula.to);
    if (found.size() == 1)
      throw BadFormula{formula.from, formula.to,
                       fmt::format("'{}' is empty", printable(formula.name))};
    formula.text = without_comments(text_, std::span(found).first(found.size() - 1));
    if (!formula.has_name) formula.name = in_one_line(formula.text);
  }

  std::string_view text_;
  const Lines lines_;
  std::vector<NamedFormula> formulas_;
  std::map<std::string, std::uint32_t> named_in_;  // lines
};

}  // namespace

std::vector<std::string> ParsedFormula::names() const {
  std::vector<std::string> names;
  for (const Atom& atom : atoms) names.push_back(atom.text);
  return names;
}

ParsedFormula parse(std::string_view origin, std::string_view text,
                    const std::vector<std::string>& bound_names) {
  check_size(origin, text.size(), kMostFormulaBytes);
  return parse_part<ParsedFormula, Parser>(origin, text, 0, static_cast<std::uint32_t>(text.size()),
                                           bound_names);
}

ParsedFormula parse(std::string_view origin, std::string_view text, const NamedFormula& formula,
                    const std::vector<std::string>& bound_names) {
  return parse_part<ParsedFormula, Parser>(origin, text, formula.from, formula.to, bound_names);
}

std::vector<NamedFormula> read_formulas(std::string_view origin, std::string_view text,
                                        Lines lines) {
  check_size(origin, text.size(), kMostFileBytes);
  try {
    return FormulaReader(text, lines).take();
  } catch (const BadFormula& bad) {
    refuse(origin, text, bad);
  }
}

}  // namespace spillway::ltl
