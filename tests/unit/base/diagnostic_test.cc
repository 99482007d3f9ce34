// Errors and warnings as compilers print them.
#include "base/text/diagnostic.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

constexpr std::string_view kText = "first\r\n  a + b;\rlast";

Diagnostic shown(SourcePosition position) {
  return {Severity::error, SourceText("some.m", kText).range(position), "wrong"};
}

TEST(Diagnostic, HasTheFormOfCompilers) {
  EXPECT_EQ(shown({2, 5, 9, 14}).text(),
            "some.m:2:5: error: wrong\n"
            "    a + b;\n"
            "    ~~^~~\n");
  EXPECT_EQ(shown({2, 5, 9, 14}).sentence(), "some.m:2:5: wrong");
}

TEST(Diagnostic, WithoutARangeThereIsACaret) {
  EXPECT_EQ(shown({2, 3}).text(), "some.m:2:3: error: wrong\n    a + b;\n    ^\n");
}

TEST(Diagnostic, LinesEndInEveryWay) {
  EXPECT_EQ(shown({3, 1}).where.source_line, "last");
  EXPECT_EQ(shown({2, 1}).where.source_line, "  a + b;");
  EXPECT_EQ(shown({9, 1}).where.source_line, "") << "there is no such line";
}

TEST(Diagnostic, ARangeOfSeveralLinesIsMarkedOnTheLineOfTheCaret) {
  const SourceRange found = shown({2, 5, 2, 19}).where;
  EXPECT_EQ(found.begin.line, 1U);
  EXPECT_EQ(found.begin.column, 3U);
  EXPECT_EQ(found.end.line, 3U);
  EXPECT_EQ(found.end.column, 4U);
  EXPECT_EQ(found.content, kText.substr(2, 17));
  EXPECT_EQ(found.excerpt(), "    a + b;\n  ~~~~^~~~");
}

TEST(Diagnostic, AnErrorCountsThem) {
  const DiagnosedError one({shown({1, 1})}, false);
  EXPECT_STREQ(one.what(), "some.m:1:1: wrong");
  EXPECT_EQ(one.count(), "1 error");
  EXPECT_EQ(one.fault(), Fault::model);
  const DiagnosedError three({shown({1, 1}), shown({2, 1}), shown({3, 1})}, true);
  EXPECT_STREQ(three.what(), "some.m:1:1: wrong (and 2 more errors)");
  EXPECT_EQ(three.count(), "3 errors; there may be more");
}

}  // namespace
}  // namespace spillway
