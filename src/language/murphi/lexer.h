// Splits Murphi text into words.
#pragma once

#include <vector>

#include "language/murphi/token.h"
#include "language/source.h"

namespace spillway::murphi {

// All words of the text; the last is end_of_text.  Keywords may be written in any case.  With
// `octal`, a number that begins with 0 is octal, as Rumur reads it.
std::vector<Token> split(const Source& source, bool octal);

}  // namespace spillway::murphi
