#include "ltl/automaton/dot.h"

#include <fmt/format.h>

#include "base/text/printable.h"
#include "ltl/automaton/label_text.h"

namespace spillway::ltl {
namespace {

std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string dot(const Automaton& automaton, std::string_view name) {
  std::string result = fmt::format("digraph {{\n  label={};\n  rankdir=LR;\n", dot_string(name));
  result += "  node [shape=circle];\n";
  for (std::size_t i = 0; i < automaton.initial.size(); ++i)
    result +=
        fmt::format("  start{} [shape=point];\n  start{} -> {};\n", i, i, automaton.initial[i]);
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    result += fmt::format("  {};\n", state);
    for (const Transition& transition : automaton.transitions[state]) {
      std::string label = text(transition.label, automaton.propositions, "true");
      for (unsigned set = 0; set < automaton.sets; ++set)
        if (((transition.marks >> set) & 1) != 0) label += fmt::format(" {{{}}}", set);
      result +=
          fmt::format("  {} -> {} [label={}];\n", state, transition.target, dot_string(label));
    }
  }
  return result + "}\n";
}

}  // namespace spillway::ltl
