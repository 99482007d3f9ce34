// Words of Murphi text, and where they stand.
#include "language/murphi/lexer.h"

#include <gtest/gtest.h>

#include <vector>

#include "unit/caught.h"

namespace spillway::murphi {
namespace {

std::vector<Token> words(std::string_view text, bool octal = true) {
  Source source("m", text);
  std::vector<Token> tokens = split(source, octal);
  source.throw_errors();
  return tokens;
}

std::vector<Word> kinds(std::string_view text) {
  std::vector<Word> result;
  for (const Token& token : words(text)) result.push_back(token.word);
  return result;
}

TEST(Lexer, KeywordsHaveNoCaseButNamesDo) {
  EXPECT_EQ(kinds("RULE Rule rule"),
            (std::vector{Word::rule_, Word::rule_, Word::rule_, Word::end_of_text}));
  const auto tokens = words("Foo foo _x a_1");
  ASSERT_EQ(tokens.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(tokens[i].word, Word::name);
  EXPECT_EQ(tokens[0].text, "Foo");
  EXPECT_EQ(tokens[1].text, "foo");
}

TEST(Lexer, TheLongestSignIsMeant) {
  EXPECT_EQ(kinds("==> == = := : .. . -> - << <= <"),
            (std::vector{Word::then_fires, Word::equal, Word::equal, Word::becomes, Word::colon,
                         Word::dot_dot, Word::dot, Word::implies, Word::minus, Word::shift_left,
                         Word::less_equal, Word::less, Word::end_of_text}));
  EXPECT_EQ(kinds("1..3"),
            (std::vector{Word::number, Word::dot_dot, Word::number, Word::end_of_text}));
}

TEST(Lexer, SignsOfMathematics) {
  EXPECT_EQ(kinds("≠ ≤ ≥ ¬ ∧ ∨ → ∀ ∃ ≔ × ÷ − ∕ ⇒"),
            (std::vector{Word::unequal, Word::less_equal, Word::greater_equal, Word::exclamation,
                         Word::ampersand_ampersand, Word::bar_bar, Word::implies, Word::forall_,
                         Word::exists_, Word::becomes, Word::star, Word::slash, Word::minus,
                         Word::slash, Word::then_fires, Word::end_of_text}));
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(words("0")[0].value, 0);
  EXPECT_EQ(words("9223372036854775807")[0].value, INT64_MAX);
  EXPECT_EQ(words("0x1F")[0].value, 31);
  EXPECT_EQ(words("017")[0].value, 15);
  EXPECT_EQ(words("019", false)[0].value, 19);
}

TEST(Lexer, Strings) {
  EXPECT_EQ(words("\"a \\\"b\\\" \\\\\"")[0].text, "a \"b\" \\");
  EXPECT_EQ(words("“quoted”")[0].text, "quoted");
  EXPECT_EQ(words("\"%s -- no comment\"")[0].text, "%s -- no comment");
}

TEST(Lexer, CommentsAndEveryKindOfLineEnd) {
  const auto tokens = words("-- caf\xe9\ra\r\n/* b\n c */ d\n\ne");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].position.line, 2u);
  EXPECT_EQ(tokens[1].position.line, 4u);
  EXPECT_EQ(tokens[1].position.column, 7u);
  EXPECT_EQ(tokens[2].position.line, 6u);
}

struct Wrong {
  const char* text;
  const char* beginning;  // of the sentence
};

class LexerError : public testing::TestWithParam<Wrong> {};
INSTANTIATE_TEST_SUITE_P(
    Of, LexerError,
    testing::Values(Wrong{"a\n  @", "m:2:3: unexpected character '@'"},
                    Wrong{"/* a\n\n", "m:1:1: unterminated comment"},
                    Wrong{" \"abc", "m:1:2: unterminated string"},
                    Wrong{"\"abc\n\"", "m:1:1: unterminated string"},
                    Wrong{"\"a\\", "m:1:1: unterminated string"},
                    Wrong{"0x", "m:1:1: a hexadecimal number needs digits"},
                    Wrong{"09", "m:1:1: a number that begins with 0 is octal"},
                    Wrong{"9223372036854775808", "m:1:1: this number does not fit in 64 bits"},
                    Wrong{"12ab", "m:1:1: a number must not be followed by a letter"},
                    Wrong{"1.5", "m:1:1: real numbers"}));

TEST_P(LexerError, NamesThePlace) {
  const auto error = caught([] { words(GetParam().text); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_TRUE(std::string(error->what()).starts_with(GetParam().beginning)) << error->what();
}

}  // namespace
}  // namespace spillway::murphi
