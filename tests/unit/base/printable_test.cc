#include "base/printable.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a b ~ \\ \"c\" 123"), "a b ~ \\ \"c\" 123");
  EXPECT_EQ(printable("\u00c4rger \u2192 \u732b \U0001f600"), "\u00c4rger \u2192 \u732b \U0001f600");
}

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\x0ab\\x0dc\\x09d");
  EXPECT_EQ(printable("\x1f\x7f"), "\\x1f\\x7f");
}

TEST(Printable, EscapeSequencesAreShown) {
  EXPECT_EQ(printable("\x1b[2J\x1b[H"), "\\x1b[2J\\x1b[H");
  EXPECT_EQ(printable("\x1b]0;owned\x07"), "\\x1b]0;owned\\x07");
}

TEST(Printable, BytesThatAreNoCharactersAreShown) {
  EXPECT_EQ(printable("\xff"
                      "a"),
            "\\xffa");
  EXPECT_EQ(printable("\xc3"
                      "("),
            "\\xc3(")
      << "a character that breaks off";
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "longer than need be";
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b") << "U+001B, longer than need be";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above the last character";
}

// U+0080 to U+009F are control characters as well: U+009B begins an escape sequence, like ESC [.
TEST(Printable, ControlCharactersAbove127AreShown) {
  EXPECT_EQ(printable("\u009b2J").find("\u009b"), std::string::npos);
  EXPECT_EQ(printable("\u0085").find("\u0085"), std::string::npos);
  EXPECT_EQ(printable("\x9b"
                      "2J")
                .find('\x9b'),
            std::string::npos)
      << "the bare byte, for terminals without UTF-8";
}

TEST(PrintableLines, OnlyLinesStayLines) {
  EXPECT_EQ(printable_lines(""), "");
  EXPECT_EQ(printable_lines("one\n  two\n   ^"), "one\n  two\n   ^");
  EXPECT_EQ(printable_lines("a\x1b[2J\nb\r\n"), "a\\x1b[2J\nb\\x0d\n");
}

}  // namespace
}  // namespace spillway
