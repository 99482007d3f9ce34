#include <gtest/gtest.h>

#include "base/text/quantity.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST(WithCommas, AtEveryScale) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(1), "1");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(999999), "999,999");
  EXPECT_EQ(with_commas(std::uint64_t{1} << 31), "2,147,483,648");
  EXPECT_EQ(with_commas(std::uint64_t{1} << 32), "4,294,967,296");
  EXPECT_EQ(with_commas((std::uint64_t{1} << 53) + 1), "9,007,199,254,740,993");
  EXPECT_EQ(with_commas(1000000000000), "1,000,000,000,000");
  EXPECT_EQ(with_commas(std::uint64_t{1} << 63), "9,223,372,036,854,775,808");
  EXPECT_EQ(with_commas(kMost), "18,446,744,073,709,551,615");
}

TEST(BytesText, AtEveryScale) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1), "1 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(10 << 10), "10 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 31), "2.0 GiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 32), "4.0 GiB");
  EXPECT_EQ(bytes_text(1000000000000), "931 GiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 40), "1.0 TiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 53), "8.0 PiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 63), "8.0 EiB");
  EXPECT_EQ(bytes_text(kMost), "16 EiB");
}

TEST(SecondsText, AtEveryScale) {
  EXPECT_EQ(seconds_text(0), "0.00 s");
  EXPECT_EQ(seconds_text(0.42), "0.42 s");
  EXPECT_EQ(seconds_text(10), "10.0 s");
  EXPECT_EQ(seconds_text(59.9), "59.9 s");
  EXPECT_EQ(seconds_text(60), "1 min 00 s");
  EXPECT_EQ(seconds_text(187), "3 min 07 s");
  EXPECT_EQ(seconds_text(3599), "59 min 59 s");
  EXPECT_EQ(seconds_text(3599.7), "1 h 00 min");
  EXPECT_EQ(seconds_text(7500), "2 h 05 min");
  EXPECT_EQ(seconds_text(360000), "100 h 00 min");
}

// Nobody writes 1024 KiB, 60.0 seconds, or one digit more just below a border than above it.
TEST(QuantityText, RoundingUpToABorderReadsLikeTheBorder) {
  EXPECT_EQ(bytes_text((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(bytes_text((10 << 10) - 1), "10 KiB");
  EXPECT_EQ(seconds_text(59.99), "1 min 00 s");
  EXPECT_EQ(seconds_text(9.999), "10.0 s");
}

}  // namespace
}  // namespace spillway
