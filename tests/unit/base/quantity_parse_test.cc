#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text/quantity.h"
#include "unit/caught.h"

namespace spillway {
namespace {

// Whether `parse(text)` is refused as a wrong command line, with a sentence that quotes the text.
template <class Parse>
testing::AssertionResult refused(Parse parse, std::string_view text) {
  const auto error = caught([&] { static_cast<void>(parse(text)); });
  if (!error) return testing::AssertionFailure() << "'" << text << "' is accepted";
  if (error->fault() != Fault::usage)
    return testing::AssertionFailure() << "another fault: " << error->what();
  if (std::string_view(error->what()).find(fmt::format("'{}' is not", text)) != 0)
    return testing::AssertionFailure() << "the sentence does not quote it: " << error->what();
  return testing::AssertionSuccess();
}

TEST(ParseBytes, NumbersAndUnits) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("1000"), 1000U);
  EXPECT_EQ(parse_bytes("1000B"), 1000U);
  EXPECT_EQ(parse_bytes("64K"), 64U << 10);
  EXPECT_EQ(parse_bytes("64k"), 64U << 10);
  EXPECT_EQ(parse_bytes("64KB"), 64U << 10);
  EXPECT_EQ(parse_bytes("64KiB"), 64U << 10);
  EXPECT_EQ(parse_bytes("512M"), 512U << 20);
  EXPECT_EQ(parse_bytes("1.5G"), 3U << 29);
  EXPECT_EQ(parse_bytes("1.5g"), 3U << 29);
  EXPECT_EQ(parse_bytes("2T"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_bytes("0.5K"), 512U);
}

TEST(ParseBytes, UpTo2To63) {
  EXPECT_EQ(parse_bytes("8388607T"), std::uint64_t{8388607} << 40);
  EXPECT_TRUE(refused(parse_bytes, "8388608T"));
  EXPECT_TRUE(refused(parse_bytes, "9223372036854775808"));
  EXPECT_TRUE(refused(parse_bytes, std::string(400, '9')));
}

TEST(ParseBytes, Refuses) {
  for (const char* text :
       {"",    " ",      "G",   "-1",   "-1G",   "+1",   "1X", "1GG", "1Gi", "1 G",   " 1G",
        "1G ", "1.5.5G", "1e9", "0x10", "1,000", "1kib", "1b", "inf", "nan", "banana"})
    EXPECT_TRUE(refused(parse_bytes, text));
}

TEST(ParseSeconds, NumbersAndUnits) {
  EXPECT_EQ(parse_seconds("0"), 0);
  EXPECT_EQ(parse_seconds("90"), 90);
  EXPECT_EQ(parse_seconds("90s"), 90);
  EXPECT_EQ(parse_seconds("0.5"), 0.5);
  EXPECT_EQ(parse_seconds("15m"), 900);
  EXPECT_EQ(parse_seconds("2h"), 7200);
  EXPECT_EQ(parse_seconds("1h30m"), 5400);
  EXPECT_EQ(parse_seconds("1.5h"), 5400);
  EXPECT_EQ(parse_seconds("3d"), 259200);
  EXPECT_EQ(parse_seconds("1d2h3m4s"), 93784);
}

TEST(ParseSeconds, Refuses) {
  for (const char* text : {"", " ", "s", "-1", "-1s", "1h-30m", "1x", "1 s", "1s ", "1hh", "1H",
                           "1e5", "+1", "banana"})
    EXPECT_TRUE(refused(parse_seconds, text));
}

// std::from_chars() reads these as numbers; no comparison with a clock is ever true of the second.
TEST(ParseSeconds, RefusesWhatIsNoFiniteNumber) {
  for (const char* text : {"inf", "nan", "infinity", "1hnan"})
    EXPECT_TRUE(refused(parse_seconds, text));
}

TEST(ParseCount, WholeNumbersUpTo2To64) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("1"), 1U);
  EXPECT_EQ(parse_count("007"), 7U);
  EXPECT_EQ(parse_count("4294967296"), std::uint64_t{1} << 32);
  EXPECT_EQ(parse_count("9007199254740993"), (std::uint64_t{1} << 53) + 1);
  EXPECT_EQ(parse_count("9223372036854775808"), std::uint64_t{1} << 63);
  EXPECT_EQ(parse_count("18446744073709551615"), ~std::uint64_t{0});
}

TEST(ParseCount, Refuses) {
  for (const char* text : {"", " ", "-1", "+1", "1.5", "1e3", "1K", " 1", "1 ", "0x10", "1,000",
                           "18446744073709551616", "banana"})
    EXPECT_TRUE(refused(parse_count, text));
}

}  // namespace
}  // namespace spillway
