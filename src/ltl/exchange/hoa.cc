#include "ltl/exchange/hoa.h"

#include <fmt/format.h>

#include "ltl/exchange/hoa_reader.h"
#include "ltl/reading/bad_formula.h"

namespace spillway::ltl {
namespace {

constexpr std::size_t kMostHoaBytes = 1U << 28;

// In double quotes.
std::string hoa_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string hoa_label(const Label& label) {
  std::string result;
  for (std::size_t i = 0; i < kMostPropositions; ++i) {
    const Letter bit = Letter{1} << i;
    if (((label.positive | label.negative) & bit) == 0) continue;
    if (!result.empty()) result += '&';
    if ((label.negative & bit) != 0) result += '!';
    result += std::to_string(i);
  }
  return result.empty() ? "t" : result;
}

std::string hoa_acceptance(unsigned sets) {
  if (sets == 0) return "acc-name: all\nAcceptance: 0 t\n";
  std::string condition;
  for (unsigned set = 0; set < sets; ++set)
    condition += fmt::format("{}Inf({})", set == 0 ? "" : "&", set);
  const std::string name = sets == 1 ? "Buchi" : fmt::format("generalized-Buchi {}", sets);
  return fmt::format("acc-name: {}\nAcceptance: {} {}\n", name, sets, condition);
}

std::string hoa_marks(SetMask marks) {
  std::string result;
  for (unsigned set = 0; set < kMostSets; ++set)
    if (((marks >> set) & 1) != 0) result += fmt::format("{}{}", result.empty() ? "" : " ", set);
  return result.empty() ? "" : " {" + result + "}";
}

}  // namespace

Automaton read_hoa(std::string_view origin, std::string_view text) {
  check_size(origin, text.size(), kMostHoaBytes);
  try {
    return HoaReader(hoa_tokens(text)).read();
  } catch (const BadFormula& bad) {
    refuse(origin, text, bad);
  }
}

std::string hoa(const Automaton& automaton, std::string_view name) {
  std::string result = "HOA: v1\n";
  if (!name.empty()) result += fmt::format("name: {}\n", hoa_string(name));
  result += fmt::format("tool: \"spillway\"\nStates: {}\n", automaton.states());
  for (const std::uint32_t state : automaton.initial) result += fmt::format("Start: {}\n", state);
  result += fmt::format("AP: {}", automaton.propositions.size());
  for (const std::string& proposition : automaton.propositions)
    result += ' ' + hoa_string(proposition);
  result += '\n' + hoa_acceptance(automaton.sets);
  result += "properties: trans-labels explicit-labels trans-acc\n--BODY--\n";
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    result += fmt::format("State: {}\n", state);
    for (const Transition& transition : automaton.transitions[state])
      result += fmt::format("[{}] {}{}\n", hoa_label(transition.label), transition.target,
                            hoa_marks(transition.marks));
  }
  return result + "--END--\n";
}

}  // namespace spillway::ltl
