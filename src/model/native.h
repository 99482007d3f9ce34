// Compiles generated C text to a shared object with the compiler of the system, once for each text.
//
// The cache is $XDG_CACHE_HOME/spillway, or ~/.cache/spillway.  An entry has its length and checksum in front; one that
// is damaged is made again.  Where the folder is not safe from others (base/private_folder.h), or there is none, a
// temporary one takes its place, and nothing is kept.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace spillway {

// A shared object in memory that can be loaded and that nobody can change.
class NativeObject {
 public:
  explicit NativeObject(std::string_view contents);  // Throws Error(system).
  // For dlopen().  REQUIRES: this lives longer than what is loaded: the path is that of no other object as long.
  std::string path() const;

 private:
  Descriptor file_;
};

enum class Effort { full, little };  // little: quickly compiled, slowly executed

struct Compiling {
  Effort effort = Effort::full;
  bool cached = true;  // looked for in the cache, and kept there
  using Say = std::function<void(const std::string&)>;
  Say warn;  // what everybody should know; may be empty
  Say tell;  // what is of interest for those who want to know everything; may be empty
};

// The object, from the cache when the same text was compiled before for the same processor; then no compiler is needed.
// The compiler may take half of the memory of the machine, and kMostCpuSeconds; if it wants more it is tried with less
// effort.  None: that was too much as well.  Throws Error(system) with what the compiler said, and Stopped.
std::optional<NativeObject> compile_c(const std::string& text, const Compiling& compiling = {});

inline constexpr std::uint64_t kMostCpuSeconds = 120;

}  // namespace spillway
