#include "report/trace/saved_trace.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "report/trace/trace_forms.h"

namespace spillway {
namespace {

TEST(SavedTrace, PatternsAreThoseOfShellsWithoutBrackets) {
  EXPECT_TRUE(matches("cache[1].state", "cache[1].*"));
  EXPECT_FALSE(matches("cache1.state", "cache[1].*"));
  EXPECT_TRUE(matches("cache[1].state", "*state"));
  EXPECT_TRUE(matches("cache[1].state", "c*[?]*e"));
  EXPECT_TRUE(matches("", "*"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("a", ""));
  EXPECT_FALSE(matches("", "?"));
  EXPECT_TRUE(matches("aab", "*ab"));
  EXPECT_FALSE(matches("aabc", "*ab"));
  EXPECT_TRUE(matches("x", "x**"));
  EXPECT_FALSE(matches("state", "STATE"));
  // Not even this takes long.
  EXPECT_FALSE(matches(std::string(20000, 'a'), "*a*a*a*a*a*a*a*b"));
}

TEST(SavedTrace, OnlyAndHide) {
  SavedTrace trace;
  trace.steps.push_back({"r", "r", 0, {}, {{"a.x", "1"}, {"a.y", "2"}, {"b", "3"}}});
  const auto left = [&](const VariableFilter& filter) {
    std::string names;
    const SavedTrace rest = filtered(trace, filter);
    for (const SavedVariable& one : rest.steps[0].state) names += one.name + " ";
    return names;
  };
  EXPECT_EQ(left({}), "a.x a.y b ");
  EXPECT_EQ(left({std::vector<std::string>{"a*"}, {}}), "a.x a.y ");
  EXPECT_EQ(left({std::vector<std::string>{"a*", "b"}, std::vector<std::string>{"*y"}}), "a.x b ");
  EXPECT_EQ(left({{}, std::vector<std::string>{"*"}}), "");
}

TEST(SavedTrace, ReadsOnlyResults) {
  EXPECT_THROW(read_traces("", "f"), Error);
  EXPECT_THROW(read_traces("{}", "f"), Error);
  EXPECT_TRUE(read_traces(R"({"format": "spillway-result"})", "f").empty());
  const auto traces = read_traces(
      R"({"format": "spillway-result", "properties": [{"name": "p", "loop_start": 1,
          "counterexample": [{"rule": "r", "state": {"x": "1", "y": 2}}, 7]}]})",
      "f");
  ASSERT_EQ(traces.size(), 1);
  ASSERT_EQ(traces[0].steps.size(), 2);
  EXPECT_EQ(traces[0].steps[0].state, (std::vector<SavedVariable>{{"x", "1"}, {"y", ""}}));
  EXPECT_TRUE(traces[0].steps[1].state.empty());
  EXPECT_EQ(traces[0].loop_start, 1);
}

SavedTrace with_gap(const std::string& loop_start) {
  return read_traces(
             R"({"format": "spillway-result", "properties": [{"name": "p", "loop_start": )" +
                 loop_start + R"(, "omitted_steps": {"first": 2, "count": 10},
          "counterexample": [{"rule": "r", "state": {"x": "0"}}, {"rule": "r", "state": {"x": "1"}},
                             {"rule": "r", "state": {"x": "12"}}, {"rule": "r", "state": {"x": "13"}}
          ]}]})",
             "f")
      .at(0);
}

TEST(SavedTrace, CountsStepsThatWereLeftOut) {
  const SavedTrace trace = with_gap("12");
  EXPECT_EQ(trace.number_of(1), 1);
  EXPECT_EQ(trace.number_of(2), 12);
  EXPECT_EQ(trace.loop_start, 2);
  EXPECT_EQ(saved_trace_text(trace, false),
            ":  \"p\"\n"
            "  Step 0: r\n"
            "    x: 0\n"
            "  Step 1: r\n"
            "    x: 0 -> 1\n"
            "  Steps 2 to 11 are left out: the changes of step 12 are those since step 1.\n"
            "  Step 12: r\n"
            "    x: 1 -> 12\n"
            "  Step 13: r\n"
            "    x: 12 -> 13\n"
            "  Back to step 12: the steps after it repeat for ever.\n");
  EXPECT_NE(trace_vcd(trace).find("\n#12\n"), std::string::npos);
  EXPECT_NE(trace_itf(trace).find("\"index\": 12"), std::string::npos);
  EXPECT_EQ(with_gap("1").loop_start, 1);
  EXPECT_FALSE(with_gap("5").loop_start);
  EXPECT_NE(with_gap("5").remark.find("back to step 5, which is left out"), std::string::npos);
  EXPECT_FALSE(with_gap("99").loop_start);
}

}  // namespace
}  // namespace spillway
