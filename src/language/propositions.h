// Reads propositions of formulas as expressions in the scope of a model.
#pragma once

#include <string>
#include <vector>

#include "base/text/proposition_text.h"
#include "language/source.h"

namespace spillway {

// The proposition, after blanks instead of what is shown before it: words have the positions that
// they have in the text that is shown.  Throws Error(usage) if the proposition is not there.
std::string only_proposition(const PropositionText& proposition);

// Turns the source of a model to each proposition and calls read(proposition), which notes errors.
// Ends with the first proposition that has any.  REQUIRES: the model has no errors.
template <class Read>
void read_propositions(Source& source, const std::vector<PropositionText>& propositions,
                       Read read) {
  for (const PropositionText& proposition : propositions) {
    const std::string text = only_proposition(proposition);
    source.turn_to(proposition.origin, text, proposition.shown());
    read(proposition);
    source.throw_errors();
  }
}

}  // namespace spillway
