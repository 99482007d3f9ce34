#include "model/proposition_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text/diagnostic.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"

namespace spillway {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// A name may be in quotes, as in the text of a graph.
std::string_view name_of(const PropositionText& proposition) {
  std::string_view name = without_blanks(proposition.text);
  if (name.size() > 1 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  return name;
}

// Where the text is, with the name underlined.
SourceRange range_of(const PropositionText& proposition) {
  const std::size_t blanks =
      std::min(proposition.text.find_first_not_of(kBlanks), proposition.text.size());
  SourcePosition position{proposition.line,
                          proposition.column + static_cast<std::uint32_t>(blanks)};
  position.from = static_cast<std::uint32_t>(proposition.offset() + blanks);
  position.to = position.from + static_cast<std::uint32_t>(without_blanks(proposition.text).size());
  return SourceText(proposition.origin, proposition.shown()).range(position);
}

[[noreturn]] void refuse_name(const PropositionText& proposition,
                              const std::vector<std::string_view>& known) {
  const std::string_view name = name_of(proposition);
  const std::optional<std::string_view> near = nearest(name, known);
  std::string why = fmt::format("the model has no proposition '{}'", printable(name));
  if (near)
    why += fmt::format("; did you mean '{}'?", printable(*near));
  else if (known.empty())
    why += "; it has none at all";
  throw DiagnosedError({{Severity::error, range_of(proposition), std::move(why)}}, false);
}

}  // namespace

std::vector<unsigned> chosen_by_name(const std::vector<PropositionText>& propositions,
                                     const std::vector<std::string_view>& known) {
  std::vector<unsigned> chosen;
  for (const PropositionText& proposition : propositions) {
    const auto found = std::find(known.begin(), known.end(), name_of(proposition));
    if (found == known.end()) refuse_name(proposition, known);
    chosen.push_back(static_cast<unsigned>(found - known.begin()));
  }
  return chosen;
}

}  // namespace spillway
