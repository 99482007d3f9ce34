// Splits Murphi text into words.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "language/murphi/token.h"
#include "language/source.h"

namespace spillway::murphi {

// Returns all words of the text; the last is end_of_text.  Keywords may be in any case.  With
// `octal`, a number that begins with 0 is octal, as in Rumur.
// Notes errors in the source.
std::vector<Token> split(Source& source, bool octal);

// The keyword that is spelt like this, in lower case.
std::optional<Word> keyword(std::string_view name);

}  // namespace spillway::murphi
