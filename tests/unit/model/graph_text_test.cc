// How the text of a graph is cut into lines, names and comments.
#include <gtest/gtest.h>

#include "language/graph/graph_model.h"
#include "unit/caught.h"
#include "unit/model/walk.h"

namespace spillway {
namespace {

using Names = std::vector<std::string>;

TEST(GraphText, NamesAreLettersDigitsAndThreeMarks) {
  const GraphModel graph("g", "initial aZ_09.x-y\naZ_09.x-y -> 7\n");
  EXPECT_EQ(initial_of(graph), (Names{"aZ_09.x-y by start"}));
  EXPECT_EQ(successors_of(graph, "aZ_09.x-y"), (Names{"7 by step"}));
}

TEST(GraphText, AnArrowNeedsNoSpaces) {
  const GraphModel graph("g", "initial a-1\na-1->b-:r\n");
  EXPECT_EQ(successors_of(graph, "a-1"), (Names{"b- by r"}));
}

TEST(GraphText, QuotedNamesMayBeAnything) {
  const GraphModel graph("g", R"(initial "a -> b : # c")");
  EXPECT_EQ(initial_of(graph), (Names{"a -> b : # c by start"}));
}

TEST(GraphText, QuotesAndBackslashesAreEscaped) {
  const GraphModel graph("g", R"(initial "say \"hi\" \\")");
  EXPECT_EQ(initial_of(graph), (Names{R"(say "hi" \ by start)"}));
}

TEST(GraphText, AQuotedWordIsTheSameNameAsTheWord) {
  const GraphModel graph("g", "initial a\n\"a\" -> \"b\"\nb -> a\n");
  EXPECT_EQ(successors_of(graph, "a"), (Names{"b by step"}));
  EXPECT_EQ(successors_of(graph, "b"), (Names{"a by step"}));
}

TEST(GraphText, WordsOfStatementsCanNameStates) {
  const GraphModel graph("g", "initial initial\ninitial -> state\nstate -> bad\nbad -> error\n");
  EXPECT_EQ(successors_of(graph, "initial"), (Names{"state by step"}));
  EXPECT_EQ(successors_of(graph, "bad"), (Names{"error by step"}));
  EXPECT_TRUE(graph.properties().empty());
}

TEST(GraphText, CommentsAndBlankLinesDoNotCount) {
  const GraphModel graph("g", "# a comment\n\n   \t \ninitial a # b\n#initial c\na -> b#c\n");
  EXPECT_EQ(initial_of(graph), (Names{"a by start"}));
  EXPECT_EQ(successors_of(graph, "a"), (Names{"b by step"}));
}

TEST(GraphText, TheLastLineNeedsNoNewline) {
  EXPECT_EQ(initial_of(GraphModel("g", "initial a")), (Names{"a by start"}));
}

TEST(GraphText, CrlfLineEnds) {
  const GraphModel graph("g", "initial a\r\na -> b : \"r\"\r\n\r\ndeadlock stuck\r\nbad b\r\n");
  EXPECT_EQ(initial_of(graph), (Names{"a by start"}));
  EXPECT_EQ(successors_of(graph, "a"), (Names{"b by r"}));
  EXPECT_EQ(graph.deadlock(), Deadlock::stuck);
  EXPECT_EQ(violated_in(graph, "b"), (Names{"good"}));
}

// As for all other texts, a carriage return alone ends a line, and a comment with it.
TEST(GraphText, LinesThatEndWithACarriageReturn) {
  const GraphModel graph("g", "initial a # one\ra -> b : \"r\"\rdeadlock stuck");
  EXPECT_EQ(successors_of(graph, "a"), (Names{"b by r"}));
  EXPECT_EQ(graph.deadlock(), Deadlock::stuck);
}

TEST(GraphText, ErrorsInLinesWithCrlfAreShownWithoutTheCarriageReturn) {
  try {
    GraphModel("g", "initial a\r\nstate\r\n");
    FAIL() << "accepted";
  } catch (const DiagnosedError& error) {
    EXPECT_EQ(error.diagnostics().at(0).text(),
              "g:2:6: error: the name of a state is missing\n  state\n       ^\n");
  }
}

TEST(GraphText, ManyStatesAndEdges) {
  std::string text = "initial 0\n";
  constexpr int kStates = 20000;
  for (int i = 0; i < kStates; ++i)
    text += std::to_string(i) + " -> " + std::to_string((i + 1) % kStates) + "\n";
  const GraphModel graph("ring", text);
  EXPECT_EQ(graph.row_bits(), 15U);
  Successors out(1);
  for (Word i = 0; i < kStates; ++i) {
    out.clear();
    graph.successors(std::vector<Word>{i}, out);
    ASSERT_EQ(out.size(), 1U);
    ASSERT_EQ(out.states()[0][0], (i + 1) % kStates);
  }
}

}  // namespace
}  // namespace spillway
