// Splits DVE text into words.
#pragma once

#include <vector>

#include "language/dve/token.h"
#include "language/source.h"

namespace spillway::dve {

// Returns all words of the text; the last is end_of_text.
// Notes errors in the source.
std::vector<Token> split(Source& source);

}  // namespace spillway::dve
