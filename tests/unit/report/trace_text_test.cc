#include <gtest/gtest.h>

#include "model/compiled_model.h"
#include "report/text.h"
#include "unit/report/results.h"

namespace spillway {
namespace {

TEST(TraceText, ShowsWhatEachStepChanges) {
  const CompiledModel counter(SPILLWAY_MODELS "/misbehaving_nothing.so");
  Trace trace = trace_through({0, 1, 1, 2}, FindingKind::invariant, 0);
  trace.steps[2].rule = 1;
  EXPECT_EQ(trace_text(counter, trace),
            "  Step 0: start\n"
            "    count: 0\n"
            "  Step 1: counts\n"
            "    count: 0 -> 1\n"
            "  Step 2: stutters\n"
            "    (nothing changes)\n"
            "  Step 3: counts\n"
            "    count: 1 -> 2\n"
            "  The last state in full:\n"
            "    count: 2\n");
}

TEST(TraceText, ShowsOnlyVariablesThatChange) {
  const CompiledModel cube(SPILLWAY_MODELS "/hypercube_16_words_2.so");
  Trace trace{{FindingKind::deadlock, 0, 1, {0, 1}, {}}, {{kNoRule, {0, 0}}, {3, {0, 1}}}, true};
  EXPECT_EQ(trace_text(cube, trace),
            "  Step 0: start\n"
            "    word[0]: 0x0000000000000000\n"
            "    word[1]: 0x0000000000000000\n"
            "  Step 1: rule 3\n"
            "    word[1]: 0x0000000000000000 -> 0x0000000000000001\n"
            "  The last state in full:\n"
            "    word[0]: 0x0000000000000000\n"
            "    word[1]: 0x0000000000000001\n");
}

TEST(TraceText, OfAnInitialStateShowsItOnce) {
  const GraphModel graph("g", "initial a\n");
  EXPECT_EQ(trace_text(graph, trace_through({0}, FindingKind::deadlock, 0)), "  Step 0: start\n    state: a\n");
}

TEST(TraceText, NamesTheRuleThatFails) {
  const GraphModel graph("g", "initial a\na -> a : divide\n");
  Trace trace = trace_through({0}, FindingKind::runtime_error, 0);
  trace.finding.failure = Failure{0, {}, "division by zero"};
  EXPECT_EQ(trace_text(graph, trace),
            "  Step 0: start\n    state: a\n  In this state rule \"divide\" fails: division by zero\n");
}

TEST(TraceText, OfAStartThatFailsHasNoSteps) {
  const GraphModel graph("g", "initial a\na -> a : begin\n");
  const Trace trace{{FindingKind::runtime_error, 0, 0, {}, Failure{0, {}, "broken"}}, {}, true};
  EXPECT_EQ(trace_text(graph, trace), "  In this state rule \"begin\" fails: broken\n");
}

TEST(TraceText, DoesNotObeyNames) {
  const GraphModel graph("g", "initial \"\x1b[31m\"\n\"\x1b[31m\" -> b : \"\x1b]0;title\x07\"\nbad b\n");
  const std::string text = trace_text(graph, trace_through({0, 1}, FindingKind::invariant, 0));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("state: \\x1b[31m -> b"), std::string::npos) << text;
  EXPECT_NE(text.find("Step 1: \\x1b]0;title\\x07"), std::string::npos) << text;
}

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

}  // namespace
}  // namespace spillway
