#include "base/text/excerpt.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

TEST(Excerpt, MarksTheColumn) {
  EXPECT_EQ(excerpt("a -> b", 2), "  a -> b\n    ^");
  EXPECT_EQ(excerpt("a", 0), "  a\n  ^");
}

TEST(Excerpt, BehindTheLineIsItsEnd) {
  EXPECT_EQ(excerpt("ab", 2), "  ab\n    ^");
  EXPECT_EQ(excerpt("ab", 99), "  ab\n    ^");
  EXPECT_EQ(excerpt("", 0), "  \n  ^");
}

TEST(Excerpt, TabsAreOneBlank) { EXPECT_EQ(excerpt("\t\tx y", 4), "    x y\n      ^"); }

TEST(Excerpt, TheMarkCountsCharactersAsTheyAreShown) {
  EXPECT_EQ(excerpt("\u00e9\u00e9x", 4), "  \u00e9\u00e9x\n    ^");
  EXPECT_EQ(excerpt("\x01x", 1), "  \\x01x\n      ^");
}

TEST(Excerpt, OfALongLineOnlyThePartIsShown) {
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  const std::string text = excerpt(line, 500);
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_EQ(first, "  ..." + std::string(60, 'a') + "X" + std::string(39, 'b') + "...");
  EXPECT_EQ(text.substr(first.size() + 1), std::string(65, ' ') + "^");
}

TEST(Excerpt, ALineMayBeginInTheMidstOfACharacter) {
  EXPECT_EQ(excerpt("\x80x", 0), "  \\x80x\n  ^");
}

TEST(Excerpt, DoesNotSplitACharacter) {
  std::string line;
  for (int i = 0; i < 100; ++i) line += "\u00e9";
  const std::string text = excerpt(line, 121);
  EXPECT_EQ(text.find("\\x"), std::string::npos) << text;
}

TEST(Excerpt, UnderlinesARange) {
  EXPECT_EQ(excerpt("a + bc;", 2, 0, 6), "  a + bc;\n  ~~^~~~");
  EXPECT_EQ(excerpt("a + bc;", 4, 4, 6), "  a + bc;\n      ^~");
  EXPECT_EQ(excerpt("a + bc;", 4, 4, 99), "  a + bc;\n      ^~~");
  EXPECT_EQ(excerpt("\u00e9\u00e9 + x", 5, 0, 8), "  \u00e9\u00e9 + x\n  ~~~^~~");
}

TEST(Excerpt, OfALongRangeOnlyThePartIsShown) {
  const std::string line(500, 'a');
  const std::string text = excerpt(line, 200, 0, 500);
  const std::string marks = text.substr(text.find('\n') + 1);
  EXPECT_EQ(marks, "     " + std::string(60, '~') + "^" + std::string(39, '~'));
}

}  // namespace
}  // namespace spillway
