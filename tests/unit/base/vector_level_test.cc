#include "base/process/vector_level.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace spillway {
namespace {

TEST(VectorLevel, IsThatOfTheProcessorUnlessTold) {
  for (const VectorLevel highest : kVectorLevels) {
    EXPECT_EQ(level_to_use(nullptr, highest), highest);
    EXPECT_EQ(level_to_use("", highest), highest);
  }
}

TEST(VectorLevel, CanBeLoweredButNotRaised) {
  EXPECT_EQ(level_to_use("baseline", VectorLevel::avx512), VectorLevel::baseline);
  EXPECT_EQ(level_to_use("avx2", VectorLevel::avx512), VectorLevel::avx2);
  EXPECT_EQ(level_to_use("avx512", VectorLevel::avx512), VectorLevel::avx512);
  EXPECT_EQ(level_to_use("avx512", VectorLevel::avx2), VectorLevel::avx2);
  EXPECT_EQ(level_to_use("avx2", VectorLevel::baseline), VectorLevel::baseline);
}

TEST(VectorLevel, AnyOtherNameIsRefused) {
  for (const char* name : {"sse2", "AVX2", "avx", " ", "avx5122"}) {
    try {
      level_to_use(name, VectorLevel::avx512);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      EXPECT_EQ(std::string(error.what()), "SPILLWAY_CPU is '" + std::string(name) +
                                               "'; it must be one of baseline, avx2, avx512");
    }
  }
}

TEST(VectorLevel, OfThisProcessIsOneThatTheProcessorHas) {
  EXPECT_LE(vector_level(), processor_level());
}

}  // namespace
}  // namespace spillway
