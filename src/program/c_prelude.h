// The part of the generated C text that is the same for every program.
#pragma once

#include <string_view>

namespace spillway::program {

// Behind the text of spillway/model_abi.h and the macros N (words of a row) and DISCARDS (1 if some
// statement can discard a successor).
//
// Memory is words with one word of padding behind, so eight bytes can be read at any byte of it.  A
// place is a base and the number of a bit.
extern const std::string_view kPrelude;

}  // namespace spillway::program
