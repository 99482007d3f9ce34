// Splits Murphi text into words.
#pragma once

#include <vector>

#include "language/murphi/token.h"
#include "language/source.h"

namespace spillway::murphi {

// Returns all words of the text; the last is end_of_text.  Keywords may be in any case.  With
// `octal`, a number that begins with 0 is octal, as in Rumur.
std::vector<Token> split(const Source& source, bool octal);

}  // namespace spillway::murphi
