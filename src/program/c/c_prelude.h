// The part of the generated C text that is the same for every program.
#pragma once

#include <string_view>

namespace spillway::program {

// Follows the text of spillway/model_abi.h and the macros N (words of a row) and DISCARDS (1 if
// some statement can discard a successor).
//
// Memory is an array of words followed by one word of padding, so that eight bytes can be read from
// any byte of it.  A place is a base and a bit number.
extern const std::string_view kPrelude;

}  // namespace spillway::program
