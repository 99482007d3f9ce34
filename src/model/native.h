// Compiles generated C text to a shared object with the compiler of the system, once for each text.
#pragma once

#include <string>

namespace spillway {

// The path of the shared object.  It comes from the cache when the same text was compiled before for the same
// processor; then no compiler is needed.  Throws Error(system) with what the compiler said.
//
// The cache is $XDG_CACHE_HOME/spillway (or ~/.cache/spillway), readable by its owner only.
enum class Effort { full, little };  // little: quickly compiled, slowly executed
std::string compile_c(const std::string& text, Effort effort = Effort::full);

}  // namespace spillway
