// Chooses which vector instructions to use.  The program is compiled for any processor; the few
// loops that gain much from newer instructions exist in several forms, and one is chosen when the
// program runs.
#pragma once

#include <array>
#include <string_view>

namespace spillway {

enum class VectorLevel {
  baseline,  // what the compiler was told that every processor has
  avx2,      // AVX2 and BMI2
  avx512,    // AVX-512 F, BW, DQ and VL as well
};
inline constexpr std::array kVectorLevels = {VectorLevel::baseline, VectorLevel::avx2,
                                             VectorLevel::avx512};

std::string_view name_of(VectorLevel level);

// The highest level that the processor has.
VectorLevel processor_level();

// The level to use: `highest`, or the one that SPILLWAY_CPU names if that is lower.  `named`: the
// value of this environment variable; nothing and an empty text mean `highest`.  Throws
// Error(usage) if no level has this name.
VectorLevel level_to_use(const char* named, VectorLevel highest);

// level_to_use() for this process and this processor.  Every call gives the same.  Because of the
// variable, tests can run all forms on one machine.
VectorLevel vector_level();

}  // namespace spillway
