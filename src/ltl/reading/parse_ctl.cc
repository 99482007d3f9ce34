#include "ltl/reading/parse_ctl.h"

#include "ltl/reading/ctl_parser.h"
#include "ltl/reading/parse_part.h"

namespace spillway::ltl {

ParsedCtl parse_ctl(std::string_view origin, std::string_view text,
                    const std::vector<std::string>& bound_names) {
  check_size(origin, text.size(), kMostFormulaBytes);
  return parse_part<ParsedCtl, CtlParser>(origin, text, 0, static_cast<std::uint32_t>(text.size()),
                                          bound_names);
}

ParsedCtl parse_ctl(std::string_view origin, std::string_view text, const NamedFormula& formula,
                    const std::vector<std::string>& bound_names) {
  return parse_part<ParsedCtl, CtlParser>(origin, text, formula.from, formula.to, bound_names);
}

}  // namespace spillway::ltl
