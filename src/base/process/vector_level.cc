#include "base/process/vector_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::array<std::string_view, kVectorLevels.size()> kLevelNames = {"baseline", "avx2",
                                                                            "avx512"};

}  // namespace

std::string_view name_of(VectorLevel level) { return kLevelNames[static_cast<std::size_t>(level)]; }

VectorLevel processor_level() {
#ifdef __x86_64__
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (avx2 && avx512) return VectorLevel::avx512;
  if (avx2) return VectorLevel::avx2;
#endif
  return VectorLevel::baseline;
}

VectorLevel level_to_use(const char* named, VectorLevel highest) {
  if (named == nullptr || *named == '\0') return highest;
  for (const VectorLevel level : kVectorLevels)
    if (name_of(level) == named) return std::min(level, highest);
  throw Error(Fault::usage, fmt::format("SPILLWAY_CPU is '{}'; it must be one of {}", named,
                                        fmt::join(kLevelNames, ", ")));
}

VectorLevel vector_level() {
  static const VectorLevel level = level_to_use(std::getenv("SPILLWAY_CPU"), processor_level());
  return level;
}

}  // namespace spillway
