#include "report/trace/trace_text.h"

#include <gtest/gtest.h>

#include "folders.h"
#include "model/compiled_model.h"
#include "unit/report/results.h"

namespace spillway {
namespace {

std::string trace_text(const Model& model, const Trace& trace, TraceStyle style) {
  return whole_text(
      [&](const TextSink& sink) { write_trace_text(model.description(), trace, style, sink); });
}

TEST(TraceText, ShowsWhatEachStepChanges) {
  const CompiledModel counter(model_file("misbehaving_nothing.so"));
  Trace trace = trace_through({0, 1, 1, 2}, PropertyKind::invariant, 0);
  trace.steps.set_rule(2, 1);
  EXPECT_EQ(trace_text(counter, trace, TraceStyle::changes),
            "  Step 0: start\n"
            "    count: 0\n"
            "  Step 1: counts\n"
            "    count: 0 -> 1\n"
            "  Step 2: stutters\n"
            "    (nothing changes)\n"
            "  Step 3: counts\n"
            "    count: 1 -> 2\n");
  EXPECT_TRUE(trace_text(counter, trace, TraceStyle::last)
                  .ends_with("    count: 1 -> 2\n  The last state in full:\n    count: 2\n"));
  EXPECT_TRUE(trace_text(counter, trace, TraceStyle::full)
                  .ends_with("  Step 2: stutters\n    count: 1\n  Step 3: counts\n    count: 2\n"));
}

TEST(TraceText, ShowsTheFirstAndTheLastOfVeryManySteps) {
  const CompiledModel counter(model_file("misbehaving_nothing.so"));
  std::vector<Word> states(kMostShownSteps + 1);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = i % 2;
  const Trace trace = trace_through(states, PropertyKind::invariant, 0);
  const std::string text = trace_text(counter, trace, TraceStyle::changes);
  EXPECT_NE(text.find("  Step 999: counts\n    count: 0 -> 1\n  Steps 1000 to 1000 are not shown"),
            std::string::npos);
  EXPECT_NE(text.find("\n  Step 1001: counts\n    count: 0 -> 1\n"), std::string::npos)
      << "what it changes in the step before, which is not shown";
  EXPECT_EQ(text.find("Step 1000:"), std::string::npos);
  EXPECT_NE(trace_text(counter, trace, TraceStyle::full).find("Step 1000:"), std::string::npos);
  states.pop_back();
  const Trace shorter = trace_through(states, PropertyKind::invariant, 0);
  EXPECT_NE(trace_text(counter, shorter, TraceStyle::changes).find("Step 1000:"),
            std::string::npos);
}

TEST(TraceText, ShowsOnlyVariablesThatChange) {
  const CompiledModel cube(model_file("hypercube_16_words_2.so"));
  Trace trace{{PropertyKind::deadlock, 0, 1, {0, 1}, {}}, {{kNoRule, {0, 0}}, {3, {0, 1}}}, true};
  EXPECT_EQ(trace_text(cube, trace, TraceStyle::changes),
            "  Step 0: start\n"
            "    word[0]: 0x0000000000000000\n"
            "    word[1]: 0x0000000000000000\n"
            "  Step 1: rule 3\n"
            "    word[1]: 0x0000000000000000 -> 0x0000000000000001\n");
}

TEST(TraceText, OfAnInitialStateShowsItOnce) {
  const GraphModel graph("g", "initial a\n");
  EXPECT_EQ(trace_text(graph, trace_through({0}, PropertyKind::deadlock, 0), TraceStyle::changes),
            "  Step 0: start\n    state: a\n");
}

TEST(TraceText, NamesTheRuleThatFails) {
  const GraphModel graph("g", "initial a\na -> a : divide\n");
  Trace trace = trace_through({0}, PropertyKind::runtime_error, 0);
  trace.finding.failure = Failure{0, {}, "division by zero"};
  EXPECT_EQ(
      trace_text(graph, trace, TraceStyle::changes),
      "  Step 0: start\n    state: a\n  In this state rule \"divide\" fails: division by zero\n");
}

TEST(TraceText, OfAStartThatFailsHasNoSteps) {
  const GraphModel graph("g", "initial a\na -> a : begin\n");
  const Trace trace{{PropertyKind::runtime_error, 0, 0, {}, Failure{0, {}, "broken"}}, {}, true};
  EXPECT_EQ(trace_text(graph, trace, TraceStyle::changes),
            "  While computing the initial states: broken\n");
}

TEST(TraceText, DoesNotObeyNames) {
  const GraphModel graph("g",
                         "initial \"\x1b[31m\"\n\"\x1b[31m\" -> b : \"\x1b]0;title\x07\"\nbad b\n");
  const std::string text =
      trace_text(graph, trace_through({0, 1}, PropertyKind::invariant, 0), TraceStyle::changes);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("state: \\x1b[31m -> b"), std::string::npos) << text;
  EXPECT_NE(text.find("Step 1: \\x1b]0;title\\x07"), std::string::npos) << text;
}

}  // namespace
}  // namespace spillway
