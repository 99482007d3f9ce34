// Formulas of branching time as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ltl/formula/ctl.h"
#include "ltl/reading/parse.h"

namespace spillway::ltl {

struct ParsedCtl {
  CtlFormula formula;
  std::vector<Atom> atoms;  // distinct; a proposition is an index of this list
};

// Atoms, boolean operators and constants are those of parse().  Temporal operators follow a path
// quantifier, A (on all paths) or E (on some path):
//   AX f  AF f  AG f  EX f  EF f  EG f    also A G f, A(G f), A[] f, E<> f, and words like AGEF
//   A[f U g]  E[f U g]                    also R, V (the same), W and M, and parentheses
// All of the former bind tighter than boolean operators.  A[f U g] needs no further parentheses,
// whatever f and g are.  A and E are names if nothing of this follows: A[1] = 2.
//
// Throws a DiagnosedError.
ParsedCtl parse_ctl(std::string_view origin, std::string_view text,
                    const std::vector<std::string>& bound_names);
// Parses one that read_formulas() has found, with positions in the file.
ParsedCtl parse_ctl(std::string_view origin, std::string_view text, const NamedFormula& formula,
                    const std::vector<std::string>& bound_names);

}  // namespace spillway::ltl
