// Models in Murphi at random, full of scalarsets, and of all that could tell their identities
// apart.
#pragma once

#include <cstdint>
#include <string>

namespace spillway {

// A text.  Some are refused by the language, for a guard that changes something or the like.
std::string random_murphi(std::uint64_t seed);

}  // namespace spillway
