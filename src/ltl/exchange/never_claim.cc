#include "ltl/exchange/never_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text/printable.h"
#include "ltl/automaton/degeneralize.h"
#include "ltl/automaton/label_text.h"
#include "ltl/automaton/strength.h"

namespace spillway::ltl {
namespace {

// A state, and whether it counts as accepting: because of the transition that led to it, or because
// every cycle in its component accepts.
class StateMarks {
 public:
  explicit StateMarks(const Automaton& automaton)
      : automaton_(automaton),
        found_(components(automaton)),
        weak_(weak_components(automaton, found_)) {
    result_.automaton.propositions = automaton.propositions;
    result_.automaton.sets = 1;
    find_marked();
    for (const std::uint32_t state : automaton.initial)
      result_.automaton.initial.push_back(number(state, marked_[state]));
    for (std::size_t at = 0; at < states_.size(); ++at) {
      std::vector<Transition> out;
      const std::uint32_t from = states_[at];
      for (const Transition& transition : automaton.transitions[from]) {
        const bool marked =
            is_inside(from, transition) ? transition.marks != 0 : marked_[transition.target];
        out.push_back({transition.label, 0, number(transition.target, marked)});
      }
      result_.automaton.transitions.push_back(std::move(out));
    }
  }

  StateAcceptance take() { return std::move(result_); }

 private:
  bool is_inside(std::uint32_t from, const Transition& transition) const {
    return found_.of[from] == found_.of[transition.target];
  }

  // A run enters a component once, so that what it enters by may count as marked.  It does where
  // the state has a marked copy anyway.
  void find_marked() {
    marked_.assign(automaton_.states(), false);
    for (std::uint32_t from = 0; from < automaton_.states(); ++from)
      for (const Transition& transition : automaton_.transitions[from])
        if (is_inside(from, transition) && transition.marks != 0) marked_[transition.target] = true;
  }

  std::uint32_t number(std::uint32_t state, bool marked) {
    const std::uint32_t component = found_.of[state];
    const bool accepting = weak_[component] || (marked && found_.accepting[component]);
    const auto [entry, is_new] =
        numbers_.emplace(std::pair(state, accepting), static_cast<std::uint32_t>(states_.size()));
    if (is_new) {
      states_.push_back(state);
      result_.accept.push_back(accepting);
    }
    return entry->second;
  }

  const Automaton& automaton_;
  Components found_;
  std::vector<bool> weak_;
  std::vector<bool> marked_;  // of each state: by a transition inside of its component
  StateAcceptance result_;
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> states_;
};

bool is_word(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// The body of a state, which ends with a jump or with nothing more to do.
std::string claim_state(const StateAcceptance& claim, std::uint32_t state,
                        const std::vector<std::string>& labels,
                        const std::vector<std::string>& names) {
  const auto& out = claim.automaton.transitions[state];
  if (out.empty()) return fmt::format("{}:\n  false;\n", labels[state]);
  std::string result = fmt::format("{}:\n  do\n", labels[state]);
  for (const Transition& transition : out)
    result += fmt::format("  :: ({}) -> goto {}\n", text(transition.label, names, "true"),
                          labels[transition.target]);
  return result + "  od;\n";
}

}  // namespace

StateAcceptance by_states(const Automaton& automaton) {
  return StateMarks(degeneralized(automaton)).take();
}

std::string never_claim(const Automaton& automaton, std::string_view name) {
  const StateAcceptance claim = by_states(automaton);
  std::vector<std::string> names = automaton.propositions, labels;
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_word(names[i])) continue;
    result += fmt::format("#define p{} ({})\n", i, printable(names[i]));
    names[i] = fmt::format("p{}", i);
  }
  for (std::uint32_t state = 0; state < claim.automaton.states(); ++state)
    labels.push_back(fmt::format("{}_S{}", claim.accept[state] ? "accept" : "T0", state));
  std::string remark = printable(name);
  for (std::size_t at = remark.find("*/"); at != std::string::npos; at = remark.find("*/"))
    remark.insert(at + 1, " ");
  result += fmt::format("never {{ /* {} */\n", remark);
  // A claim starts at its first state.
  if (claim.automaton.initial.size() > 1) {
    result += "T0_init:\n  if\n";
    for (const std::uint32_t state : claim.automaton.initial)
      for (const Transition& transition : claim.automaton.transitions[state])
        result += fmt::format("  :: ({}) -> goto {}\n", text(transition.label, names, "true"),
                              labels[transition.target]);
    result += "  fi;\n";
  }
  for (std::uint32_t state = 0; state < claim.automaton.states(); ++state)
    result += claim_state(claim, state, labels, names);
  return result + "}\n";
}

}  // namespace spillway::ltl
