// Propositions of formulas in models whose propositions have names.
#pragma once

#include <string_view>
#include <vector>

#include "base/text/proposition_text.h"

namespace spillway {

// The number of each proposition among the known names.  Throws DiagnosedError, with the name that
// was probably meant, if one is not known.
std::vector<unsigned> chosen_by_name(const std::vector<PropositionText>& propositions,
                                     const std::vector<std::string_view>& known);

}  // namespace spillway
