#include "base/text/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace spillway {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("check", "check"), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("chek", "check"), 1U) << "insert";
  EXPECT_EQ(edit_distance("checkk", "check"), 1U) << "delete";
  EXPECT_EQ(edit_distance("chack", "check"), 1U) << "replace";
  EXPECT_EQ(edit_distance("chekc", "check"), 1U) << "swap neighbours";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("abcd", "dcba"), 3U);
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string_view> words = {"",    "a",     "ab",    "ba",     "abc",
                                               "acb", "check", "chekc", "explain"};
  for (const std::string_view a : words)
    for (const std::string_view b : words)
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
}

const std::vector<std::string_view> kKnown = {"--threads", "--memory", "--max-depth",
                                              "--max-states", "--json"};

TEST(Nearest, IsTheOneWithTheLeastDistance) {
  EXPECT_EQ(nearest("--thraeds", kKnown), "--threads");
  EXPECT_EQ(nearest("--memroy", kKnown), "--memory");
  EXPECT_EQ(nearest("--max-dept", kKnown), "--max-depth");
  EXPECT_EQ(nearest("--max-state", kKnown), "--max-states");
  EXPECT_EQ(nearest("--json", kKnown), "--json");
}

TEST(Nearest, ABeginningMeansTheRest) {
  EXPECT_EQ(nearest("--t", kKnown), "--threads");
  EXPECT_EQ(nearest("--max-s", kKnown), "--max-states");
}

TEST(Nearest, OfSeveralThatAreEquallyNearIsTheFirst) {
  EXPECT_EQ(nearest("--max-", kKnown), "--max-depth");
}

TEST(Nearest, IsNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("--frobnicate", kKnown), std::nullopt);
  EXPECT_EQ(nearest("", kKnown), std::nullopt);
  EXPECT_EQ(nearest("x", kKnown), std::nullopt);
  EXPECT_EQ(nearest("--json", {}), std::nullopt);
}

TEST(Nearest, ShortWordsMustBeVeryNear) {
  const std::vector<std::string_view> commands = {"check", "explain"};
  EXPECT_EQ(nearest("chek", commands), "check");
  EXPECT_EQ(nearest("cat", commands), std::nullopt);
}

TEST(Nearest, UpperAndLowerCaseAreTheSame) {
  const std::vector<std::string_view> names = {"NODE", "NODES", "Nodes_max"};
  EXPECT_EQ(nearest("nodes", names), "NODES");
  EXPECT_EQ(nearest("NODES", std::vector<std::string_view>{"nodes"}), "nodes");
}

TEST(Nearest, OneLetterIsNeverNear) {
  const std::vector<std::string_view> names = {"x", "X", "xy"};
  EXPECT_EQ(nearest("y", names), std::nullopt);
  EXPECT_EQ(nearest("Z", names), std::nullopt);
  EXPECT_EQ(nearest("bb", std::vector<std::string_view>{"b", "ab"}), std::nullopt);
}

}  // namespace
}  // namespace spillway
