#include "report/properties_text.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

std::vector<ShownProperty> some(std::size_t count, Standing standing) {
  std::vector<ShownProperty> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({"invariant", "p" + std::to_string(i), 10, standing});
  return all;
}

std::vector<ShownProperty> operator+(std::vector<ShownProperty> a,
                                     const std::vector<ShownProperty>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string first_line(const std::vector<ShownProperty>& properties) {
  const std::string text = properties_text(properties, {});
  return text.substr(0, text.find('\n'));
}

TEST(PropertiesText, SumsUp) {
  EXPECT_EQ(properties_text({}, {}), "");
  EXPECT_EQ(first_line(some(1, Standing::holds)), "  1 property: holds");
  EXPECT_EQ(first_line(some(1200, Standing::holds)), "  1,200 properties: all hold");
  EXPECT_EQ(first_line(some(3, Standing::undecided)), "  3 properties: none decided");
  EXPECT_EQ(first_line(some(179, Standing::undecided) + some(1, Standing::violated)),
            "  180 properties: 1 VIOLATED, 179 not decided");
  EXPECT_EQ(first_line(some(2, Standing::ignored) + some(1, Standing::holds) +
                       some(1, Standing::unchecked) + some(4, Standing::probably_holds)),
            "  8 properties: 1 not checked, 1 holds, 4 hold (probabilistic), 2 ignored");
}

TEST(PropertiesText, ListsSomeOfThoseThatDoNotHoldViolatedOnesFirst) {
  const std::string text = properties_text(
      some(7, Standing::undecided) + some(40, Standing::holds) + some(2, Standing::violated), {});
  EXPECT_EQ(text,
            "  49 properties: 2 VIOLATED, 7 not decided, 40 hold\n"
            "    invariant \"p0\" (line 10): VIOLATED\n"
            "    invariant \"p1\" (line 10): VIOLATED\n"
            "    invariant \"p0\" (line 10): not decided\n"
            "    invariant \"p1\" (line 10): not decided\n"
            "    invariant \"p2\" (line 10): not decided\n"
            "    invariant \"p3\" (line 10): not decided\n"
            "    invariant \"p4\" (line 10): not decided\n"
            "    and 2 more (--verbose lists all)\n");
}

TEST(PropertiesText, ListsAllIfThatIsWanted) {
  const std::string text =
      properties_text(some(30, Standing::undecided) + some(30, Standing::holds), {.all = true});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 61);
  EXPECT_EQ(text.find("more"), std::string::npos);
}

TEST(PropertyName, HasItsLineOnce) {
  EXPECT_EQ(property_name("invariant", "mutex", 7), "invariant \"mutex\" (line 7)");
  EXPECT_EQ(property_name("invariant", "mutex", 0), "invariant \"mutex\"");
  EXPECT_EQ(property_name("invariant", "invariant at line 7", 7),
            "invariant \"invariant at line 7\"");
  EXPECT_EQ(property_name("deadlock", "no deadlock", 0), "no deadlock");
  EXPECT_EQ(property_name("cover", "\x1b[31m", 0), "cover \"\\x1b[31m\"");
}

}  // namespace
}  // namespace spillway
