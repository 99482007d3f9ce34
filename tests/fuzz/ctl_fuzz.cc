// Any bytes as a formula of branching time: they are refused with an Error, or written with all
// parentheses so that they are read as the same formula.  Moving negations inside does not change
// what small ones mean.
//
// Built and run by tests/fuzz/run.  The first byte says whether the rest is a list of formulas, as
// --ctl takes it.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "ltl/reading/bad_formula.h"
#include "ltl/reading/parse_ctl.h"
#include "oracle/ctl_reference.h"

namespace {

using namespace spillway;
using ltl::CtlNode;
using ltl::Operator;

// A sign for a boolean operator, and a letter for a temporal one.
std::string_view sign(Operator op) {
  switch (op) {
    case Operator::negation: return "!";
    case Operator::conjunction: return "&";
    case Operator::disjunction: return "|";
    case Operator::implication: return "->";
    case Operator::equivalence: return "<->";
    case Operator::exclusive_or: return "xor";
    case Operator::next: return "X";
    case Operator::finally: return "F";
    case Operator::globally: return "G";
    case Operator::until: return "U";
    case Operator::release: return "R";
    case Operator::weak_until: return "W";
    case Operator::strong_release: return "M";
    default: return "";
  }
}

// The texts of operands are part of that of a node, so long formulas are not written.
std::string written(const ltl::ParsedCtl& parsed) {
  std::vector<std::string> texts;
  for (const CtlNode& node : parsed.formula.nodes()) {
    const std::string_view quantifier = node.quantifier == ltl::Quantifier::all    ? "A"
                                        : node.quantifier == ltl::Quantifier::some ? "E"
                                                                                   : "";
    std::string text;
    if (node.op == Operator::constant_true || node.op == Operator::constant_false)
      text = node.op == Operator::constant_true ? "true" : "false";
    else if (node.op == Operator::proposition)
      text = fmt::format("{{{}}}", parsed.atoms[node.proposition].text);
    else if (ltl::operands(node.op) == 1)
      text = fmt::format("{}{} ({})", quantifier, sign(node.op), texts[node.left]);
    else if (ltl::is_temporal(node.op))
      text = fmt::format("{}[({}) {} ({})]", quantifier, texts[node.left], sign(node.op),
                         texts[node.right]);
    else
      text = fmt::format("({}) {} ({})", texts[node.left], sign(node.op), texts[node.right]);
    if (text.size() > 10'000) return "";
    texts.push_back(std::move(text));
  }
  return texts.back();
}

// Six states: two cycles, one of them with a way out, and an end that is cut off.
LabelledGraph some_graph() { return {{{1, 2}, {0}, {3, 2}, {4, 5}, {3}, {}}, {1, 6, 3, 0, 5, 7}}; }

void examine(std::string_view text, const ltl::ParsedCtl& parsed) {
  bool plain = true;
  for (const ltl::Atom& atom : parsed.atoms) {
    SPILLWAY_CHECK(atom.position.from <= atom.position.to && atom.position.to <= text.size());
    plain = plain && atom.text.find_first_of("{}\"") == std::string::npos;
  }
  const std::string again = plain ? written(parsed) : "";
  if (!again.empty() && again.size() <= ltl::kMostFormulaBytes / 2) {
    const ltl::ParsedCtl second = ltl::parse_ctl("again", again, {});
    SPILLWAY_CHECK(second.formula.nodes() == parsed.formula.nodes());
  }
  const ltl::CtlFormula inside = ltl::with_negations_inside(parsed.formula);
  if (parsed.formula.nodes().size() > 12) return;
  const LabelledGraph graph = some_graph();
  SPILLWAY_CHECK(ctl_reference(graph, inside) == ctl_reference(graph, parsed.formula));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] % 2 == 0) {
      examine(text, ltl::parse_ctl("fuzz", text, {"AG", "done"}));
    } else {
      for (const ltl::NamedFormula& formula :
           ltl::read_formulas("fuzz", text, ltl::Lines::formulas))
        examine(text, ltl::parse_ctl("fuzz", text, formula, {}));
    }
  } catch (const Error& error) {
    SPILLWAY_CHECK(error.fault() != Fault::internal);
  }
  return 0;
}
