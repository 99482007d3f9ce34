#include "base/text/printable.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a b ~ \\ \"c\" 123"), "a b ~ \\ \"c\" 123");
  EXPECT_EQ(printable("\u00c4rger \u2192 \u732b \U0001f600"),
            "\u00c4rger \u2192 \u732b \U0001f600");
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

// XML 1.0 has no U+FFFE and U+FFFF, not even as references.
TEST(Printable, XmlHoldsOnlyWhatItAllows) {
  EXPECT_EQ(printable_xml("a <b> & \"c\""), "a &lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(printable_xml("\ufffe\uffff"), "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
  EXPECT_EQ(printable_xml("\ufffd\U0001fffe\u00c4"), "\ufffd\U0001fffe\u00c4");
  EXPECT_EQ(printable_xml("\t\x01\u202e"), "\\x09\\x01\\xe2\\x80\\xae");
}

// They turn text around, or hide it.
TEST(Printable, MarksWithoutAPictureAreShown) {
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");
  for (const char* mark :
       {"\u00ad", "\u061c", "\u200b", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a",
        "\u202d", "\u2060", "\u2066", "\u2069", "\ufeff", "\ufff9", "\U000e0041"})
    EXPECT_EQ(printable(mark).find(mark), std::string::npos) << printable(mark);
  for (const char* shown :
       {"\u00a0", "\u00ac", "\u00ae", "\u2010", "\u2027", "\u202f", "\u2070", "\ufffd", "\u0627"})
    EXPECT_EQ(printable(shown), shown);
}

TEST(PrintableJson, MeansTheSame) {
  EXPECT_EQ(printable_json("{\n  \"\u00e4\": \"\u202e\u009b\x7f\U000e0041\"\n}\n"),
            "{\n  \"\u00e4\": \"\\u202e\\u009b\\u007f\\udb40\\udc41\"\n}\n");
  EXPECT_EQ(printable_json(""), "");
}

TEST(PrintableLines, OnlyLinesStayLines) {
  EXPECT_EQ(printable_lines(""), "");
  EXPECT_EQ(printable_lines("one\n  two\n   ^"), "one\n  two\n   ^");
  EXPECT_EQ(printable_lines("a\x1b[2J\nb\r\n"), "a\\x1b[2J\nb\\x0d\n");
}

}  // namespace
}  // namespace spillway
