#include "report/properties_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text/printable.h"
#include "report/words/color.h"
#include "report/words/kind_word.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::size_t kMostListed = 5;  // of one standing

struct StandingWords {
  Standing standing;
  std::string_view one, several, all;  // of one property, of some, of all there are
};
constexpr std::array<StandingWords, 6> kStandings = {
    {{Standing::violated, "VIOLATED", "VIOLATED", "all VIOLATED"},
     {Standing::undecided, "not decided", "not decided", "none decided"},
     {Standing::unchecked, "not checked", "not checked", "none checked"},
     {Standing::holds, "holds", "hold", "all hold"},
     {Standing::probably_holds, "holds (probabilistic)", "hold (probabilistic)",
      "all hold (probabilistic)"},
     {Standing::ignored, "ignored", "ignored", "all ignored"}}};

const StandingWords& words_of(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

std::string summary(const std::vector<ShownProperty>& properties, bool color) {
  std::string parts;
  for (const StandingWords& words : kStandings) {
    const auto count =
        std::ranges::count(properties, words.standing, [](const auto& p) { return p.standing; });
    if (count == 0) continue;
    const auto number = static_cast<std::size_t>(count);
    std::string part =
        fmt::format("{} {}", with_commas(number), number == 1 ? words.one : words.several);
    if (number == properties.size()) part = number == 1 ? words.one : words.all;
    if (words.standing == Standing::violated) part = in_color_of(Outcome::violated, part, color);
    parts += fmt::format("{}{}", parts.empty() ? "" : ", ", part);
  }
  return fmt::format("  {}: {}\n", properties_counted(properties.size()), parts);
}

std::string listed(const ShownProperty& property, bool color) {
  std::string verb(words_of(property.standing).one);
  if (property.standing == Standing::violated) verb = in_color_of(Outcome::violated, verb, color);
  return fmt::format("    {}: {}{}\n", property_name(property.kind, property.name, property.line),
                     verb, property.more);
}

}  // namespace

ShownProperty shown(const PropertyResult& property) {
  ShownProperty shown;
  shown.kind = kind_word(property.kind);
  shown.name = property.name;
  shown.line = property.line;
  if (property.ignored) {
    shown.standing = Standing::ignored;
  } else if (!property.checked) {
    shown.standing = Standing::unchecked;
  } else if (property.outcome == Outcome::verified) {
    shown.standing = Standing::holds;
  } else if (property.outcome == Outcome::verified_probabilistic) {
    shown.standing = Standing::probably_holds;
  } else if (property.outcome == Outcome::violated) {
    shown.standing = Standing::violated;
    if (property.kind == PropertyKind::cover)
      shown.more = ": it holds in no reachable state";
    else if (property.trace != nullptr)
      shown.more = fmt::format(" at depth {}", with_commas(property.trace->finding.depth));
  }
  return shown;
}

std::string property_name(std::string_view kind, std::string_view name, std::uint32_t line) {
  if (kind == "deadlock" || kind == "runtime-error") return printable(name);
  // One without a name is called by its line already.
  const bool has_line = line == 0 || name.ends_with(fmt::format("line {}", line));
  return fmt::format("{} \"{}\"{}", printable(kind), printable(name),
                     has_line ? "" : fmt::format(" (line {})", line));
}

std::string properties_text(const std::vector<ShownProperty>& properties,
                            const PropertyListStyle& style) {
  if (properties.empty()) return "";
  std::string text = summary(properties, style.color);
  if (style.all) {
    for (const ShownProperty& property : properties) text += listed(property, style.color);
    return text;
  }
  std::size_t left_out = 0;
  for (const Standing standing : {Standing::violated, Standing::undecided, Standing::unchecked}) {
    std::size_t count = 0;
    for (const ShownProperty& property : properties) {
      if (property.standing != standing) continue;
      if (count++ < kMostListed)
        text += listed(property, style.color);
      else
        ++left_out;
    }
  }
  if (left_out != 0)
    text += fmt::format("    and {} more ({})\n", with_commas(left_out), style.how_to_list_all);
  return text;
}

}  // namespace spillway
