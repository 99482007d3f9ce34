// Words of DVE text.
#include "language/dve/lexer.h"

#include <gtest/gtest.h>

#include "unit/caught.h"

namespace spillway::dve {
namespace {

std::vector<Token> words(std::string_view text) {
  Source source("some.dve", text);
  std::vector<Token> tokens = split(source);
  source.throw_errors();
  return tokens;
}

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> result;
  for (const Token& token : words(text))
    result.push_back(token.word == Word::number ? std::to_string(token.value) : token.text);
  result.pop_back();
  return result;
}

TEST(DveLexer, NamesHaveSignsInsideAndCaseMatters) {
  EXPECT_EQ(texts("a$1#_b _c Process"), (std::vector<std::string>{"a$1#_b", "_c", "Process"}));
  EXPECT_EQ(words("Process")[0].word, Word::name);
  EXPECT_EQ(words("process")[0].word, Word::process_);
}

TEST(DveLexer, TheLongestSignIsTaken) {
  EXPECT_EQ(texts("a<<=b->c==d=e!=f!g&&h||i"),
            (std::vector<std::string>{"a", "<<", "=", "b", "->", "c", "==", "d", "=", "e",
                                      "!=", "f", "!", "g", "&&", "h", "||", "i"}));
  EXPECT_EQ(words("&&")[0].word, words("and")[0].word);
  EXPECT_EQ(words("||")[0].word, words("or")[0].word);
}

TEST(DveLexer, CommentsDoNotNest) {
  EXPECT_EQ(texts("a // b /* c\nd /* e /* f */ g"), (std::vector<std::string>{"a", "d", "g"}));
}

TEST(DveLexer, ALineCommentHidesTheEndOfTheCommentAround) {
  EXPECT_EQ(texts("a /* b // c */ d\n e */ f"), (std::vector<std::string>{"a", "f"}));
}

TEST(DveLexer, ABackslashAtTheEndOfALineIsABlank) {
  const std::vector<Token> all = words("a \\\r\n b\\\nc");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].position.line, 2u);
  EXPECT_EQ(all[2].position.line, 3u);
  EXPECT_TRUE(caught([] { words("a \\ b"); }));
}

TEST(DveLexer, NumbersHave31Bits) {
  EXPECT_EQ(words("2147483647")[0].value, 2147483647);
  EXPECT_TRUE(caught([] { words("2147483648"); }));
  EXPECT_TRUE(caught([] { words("99999999999999999999999999"); }));
  EXPECT_TRUE(caught([] { words("1x"); }));
}

}  // namespace
}  // namespace spillway::dve
