#include "ltl/parse_ctl.h"

#include "ltl/bad_formula.h"
#include "ltl/ctl_parser.h"
#include "ltl/lexer.h"

namespace spillway::ltl {
namespace {

ParsedCtl parse_part_of(std::string_view origin, std::string_view text, std::uint32_t from,
                        std::uint32_t to, const std::vector<std::string>& bound_names) {
  check_size(origin, to - from, kMostFormulaBytes);
  try {
    CtlParser parser(text, tokens(text, from, to), bound_names);
    ParsedCtl parsed;
    parsed.formula = parser.parse();
    for (AtomCutter::FoundAtom& atom : parser.take_atoms())
      parsed.atoms.push_back({std::move(atom.text), position_of(text, atom.from, atom.to)});
    return parsed;
  } catch (const BadFormula& bad) {
    refuse(origin, text, bad);
  }
}

}  // namespace

ParsedCtl parse_ctl(std::string_view origin, std::string_view text,
                    const std::vector<std::string>& bound_names) {
  check_size(origin, text.size(), kMostFormulaBytes);
  return parse_part_of(origin, text, 0, static_cast<std::uint32_t>(text.size()), bound_names);
}

ParsedCtl parse_ctl(std::string_view origin, std::string_view text, const NamedFormula& formula,
                    const std::vector<std::string>& bound_names) {
  return parse_part_of(origin, text, formula.from, formula.to, bound_names);
}

}  // namespace spillway::ltl
