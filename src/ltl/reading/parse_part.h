// Reads a part of a text as one formula, whatever its logic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ltl/reading/atom_cutter.h"
#include "ltl/reading/bad_formula.h"
#include "ltl/reading/lexer.h"

namespace spillway::ltl {

// Bytes [from, to) of the text.  Throws a DiagnosedError with positions in the text, and
// Error(model) if they are too many.
template <class Parsed, class Parser>
Parsed parse_part(std::string_view origin, std::string_view text, std::uint32_t from,
                  std::uint32_t to, const std::vector<std::string>& bound_names) {
  check_size(origin, to - from, kMostFormulaBytes);
  try {
    Parser parser(text, tokens(text, from, to), bound_names);
    Parsed parsed;
    parsed.formula = parser.parse();
    for (const AtomCutter::FoundAtom& atom : parser.take_atoms())
      parsed.atoms.push_back({atom.text, position_of(text, atom.from, atom.to())});
    return parsed;
  } catch (const BadFormula& bad) {
    refuse(origin, text, bad);
  }
}

}  // namespace spillway::ltl
