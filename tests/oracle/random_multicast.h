// Models in Murphi at random whose loops use local variables for each identity in turn, as
// multicasts do: through aliases, parameters by reference (two of which may be the same variable),
// functions with side effects, inner loops, and fields that may be undefined.
#pragma once

#include <cstdint>
#include <string>

namespace spillway {

// Every turn sets what it reads, and nothing reads what is left after the loop.
std::string random_multicast(std::uint64_t seed);

// The same with one line changed, so that many are no longer symmetric.
std::string broken_multicast(std::uint64_t seed, std::uint64_t attempt);

}  // namespace spillway
