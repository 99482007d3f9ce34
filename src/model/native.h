// Compiles generated C to a shared object with the system's compiler, once for each text.
//
// The cache is $XDG_CACHE_HOME/spillway, or ~/.cache/spillway.  An entry begins with its length and
// checksum; a damaged entry is rebuilt.  If the folder is missing or not safe from other users
// (base/private_folder.h), a temporary one is used and nothing is cached.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace spillway {

// A shared object in memory that can be loaded and cannot be changed.
class NativeObject {
 public:
  explicit NativeObject(std::string_view contents);  // throws Error(system)
  // For dlopen().  REQUIRES: this outlives what is loaded from it; the path may name another object
  // afterwards.
  std::string path() const;

 private:
  Descriptor file_;
};

enum class Effort { full, little };  // little: compiles fast, runs slowly

struct Compiling {
  Effort effort = Effort::full;
  bool cached = true;  // use the cache
  using Say = std::function<void(const std::string&)>;
  Say warn;  // for all users; may be empty
  Say tell;  // for verbose output; may be empty
};

// The object, from the cache if the same text was compiled before for the same processor; no
// compiler is needed then.  The compiler may take half of the machine's memory (but at least 1 GiB)
// and kMostCpuSeconds.  If it needs more, it is tried with less effort; std::nullopt if that needs
// too much as well.  Throws Error(system) with the output of the compiler, and Stopped.
std::optional<NativeObject> compile_c(const std::string& text, const Compiling& compiling = {});

inline constexpr std::uint64_t kMostCpuSeconds = 120;

}  // namespace spillway
