// The words people read, letter by letter.
#include "report/text.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/text/quantity.h"
#include "unit/report/results.h"

namespace spillway {
namespace {

const GraphModel kModel("lock.graph",
                        "initial a\na -> b : go\nbad mutex: b\nassert sorted: b\nb -> a\n");

std::string brief(const CheckResult& result) {
  return result_text(subject_of(kModel), result, {.brief = true});
}

CheckResult violated(std::vector<Trace> traces) {
  CheckResult result = result_with(Outcome::violated, Exit::invariant, "counterexample of 1 steps");
  result.traces = std::move(traces);
  return result;
}

TEST(VerdictLine, OfEveryOutcome) {
  EXPECT_EQ(brief(result_with(Outcome::verified, Exit::verified, "exhaustive, exact")),
            "VERIFIED  lock.graph  (exhaustive, exact)\n");
  EXPECT_EQ(brief(result_with(Outcome::verified_probabilistic, Exit::verified,
                              "probability below 1.0e-09")),
            "VERIFIED (probabilistic)  lock.graph  (probability below 1.0e-09)\n");
  EXPECT_EQ(brief(result_with(Outcome::inconclusive, Exit::time, "the time limit was reached")),
            "INCONCLUSIVE  lock.graph  (the time limit was reached)\n");
  EXPECT_EQ(brief(result_with(Outcome::error, Exit::internal, "a bug")), "ERROR  a bug\n");
}

TEST(VerdictLine, OfEveryKindOfViolation) {
  EXPECT_EQ(brief(violated({trace_through({0, 1}, PropertyKind::invariant, 0)})),
            "VIOLATED  lock.graph  invariant \"mutex\" at depth 1 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0, 1}, PropertyKind::assertion, 1)})),
            "VIOLATED  lock.graph  assertion \"sorted\" at depth 1 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0}, PropertyKind::deadlock, 0)})),
            "VIOLATED  lock.graph  deadlock at depth 0 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0}, PropertyKind::runtime_error, 0)})),
            "VIOLATED  lock.graph  run-time error at depth 0 (shortest)\n");
}

TEST(VerdictLine, OfSeveralViolationsAtOnce) {
  EXPECT_EQ(
      brief(violated({trace_through({0, 1}, PropertyKind::invariant, 0),
                      trace_through({0, 1}, PropertyKind::assertion, 1)})),
      "VIOLATED  lock.graph  invariant \"mutex\", assertion \"sorted\" at depth 1 (shortest)\n");
}

TEST(VerdictLine, OfACounterexampleThatMayNotBeTheShortest) {
  Trace trace = trace_through({0, 1}, PropertyKind::invariant, 0);
  trace.shortest = false;
  EXPECT_EQ(brief(violated({trace})), "VIOLATED  lock.graph  invariant \"mutex\" at depth 1\n");
}

TEST(VerdictLine, WithoutAModelIsAllThereIs) {
  const CheckResult result =
      result_with(Outcome::error, Exit::model, "no/such.graph: no such file");
  const std::string line = "ERROR  no/such.graph: no such file\n";
  EXPECT_EQ(result_text(subject_without_model(), result, {.brief = true}), line);
  EXPECT_EQ(result_text(subject_without_model(), result, {}), line);
}

// Errors in graphs show the line and a caret below it.
TEST(VerdictLine, KeepsTheLinesOfAReasonThatHasSeveral) {
  const std::string reason = "x.graph:2:3: unexpected character '='\n  a => b\n    ^";
  const std::string text =
      result_text(subject_without_model(), result_with(Outcome::error, Exit::model, reason), {});
  EXPECT_NE(text.find("\n  a => b\n    ^"), std::string::npos) << text;
  EXPECT_EQ(text.find("\\x0a"), std::string::npos) << text;
}

TEST(ResultText, OfAVerifiedModel) {
  CheckResult result = result_with(Outcome::verified, Exit::verified, "exhaustive, exact");
  result.seconds = 2;
  result.statistics.add({1, 1, {}});
  result.statistics.add({1233, 7000000, {}});
  Subject subject = subject_of(kModel);
  subject.deadlock = Deadlock::stuck;
  EXPECT_EQ(
      result_text(subject, result, {}),
      "  1,234 states   7,000,001 transitions   depth 1   2.00 s   617 states/s   memory 5.0 MiB\n"
      "  4 properties: all hold\n"
      "VERIFIED  lock.graph  (exhaustive, exact)\n");
}

TEST(ResultText, ListsEveryPropertyIfThatIsWanted) {
  const CheckResult result = result_with(Outcome::verified, Exit::verified, "exhaustive, exact");
  EXPECT_EQ(result_text(subject_of(kModel), result, {.verbose = true}),
            "  0 states   0 transitions   depth 0   0.04 s   memory 5.0 MiB\n"
            "  3 properties: all hold\n"
            "    invariant \"mutex\" (line 3): holds\n"
            "    assertion \"sorted\" (line 4): holds\n"
            "    no run-time error: holds\n"
            "VERIFIED  lock.graph  (exhaustive, exact)\n");
}

TEST(ResultText, TheVerdictIsTheLastLineAndNamesTheConfiguration) {
  Subject subject = subject_of(kModel);
  subject.configuration = "NODES=5 --deadlock=off";
  EXPECT_TRUE(opening_text(subject).starts_with("lock.graph NODES=5 --deadlock=off: "));
  const std::pair<Outcome, std::string> endings[] = {
      {Outcome::verified, "VERIFIED  lock.graph NODES=5 --deadlock=off  (r)\n"},
      {Outcome::inconclusive, "INCONCLUSIVE  lock.graph NODES=5 --deadlock=off  (r)\n"}};
  for (const auto& [outcome, line] : endings) {
    const std::string text = result_text(subject, result_with(outcome, Exit::time, "r"), {});
    EXPECT_TRUE(text.ends_with("\n" + line)) << text;
  }
}

TEST(ResultText, HowToResumeIsRightAboveTheVerdict) {
  Subject subject = subject_of(kModel);
  subject.run_directory = "a run";
  const std::string text =
      result_text(subject, result_with(Outcome::inconclusive, Exit::time, "r"), {});
  EXPECT_TRUE(
      text.ends_with("\n  Resume with: spillway resume 'a run'\n"
                     "INCONCLUSIVE  lock.graph  (r)\n"))
      << text;
}

TEST(ResultText, HasColorOnlyIfThatIsWanted) {
  const std::pair<Outcome, std::string> words[] = {
      {Outcome::verified, "\033[1;32mVERIFIED\033[0m  "},
      {Outcome::inconclusive, "\033[1;33mINCONCLUSIVE\033[0m  "},
      {Outcome::error, "\033[1;31mERROR\033[0m  "}};
  for (const auto& [outcome, word] : words) {
    const CheckResult result = result_with(outcome, Exit::time, "r");
    EXPECT_NE(result_text(subject_of(kModel), result, {.color = true}).find(word),
              std::string::npos);
    EXPECT_EQ(result_text(subject_of(kModel), result, {}).find('\033'), std::string::npos);
  }
  const CheckResult result = violated({trace_through({0, 1}, PropertyKind::invariant, 0)});
  const std::string text = result_text(subject_of(kModel), result, {.color = true});
  EXPECT_NE(text.find("\n\033[1;31mVIOLATED\033[0m  lock.graph"), std::string::npos) << text;
  EXPECT_NE(text.find("\"mutex\" (line 3): \033[1;31mVIOLATED\033[0m at depth 1\n"),
            std::string::npos)
      << text;
}

TEST(ResultText, OfAnInconclusiveModelSaysWhatToDo) {
  CheckResult result =
      result_with(Outcome::inconclusive, Exit::memory, "the memory limit was reached");
  result.statistics.add({1, 1, {}});
  result.statistics.unfinished = Unfinished{1, 2000, 1500};
  EXPECT_EQ(
      result_text(subject_of(kModel), result, {}),
      "  1 state   1 transition   depth 0   0.04 s   memory 5.0 MiB\n"
      "  level 1 was not finished: 1,500 of its 2,000 states were expanded (not counted above)\n"
      "  3 properties: none decided\n"
      "    invariant \"mutex\" (line 3): not decided\n"
      "    assertion \"sorted\" (line 4): not decided\n"
      "    no run-time error: not decided\n"
      "  No violation was found in the complete levels. Raise --memory, or make the model "
      "smaller.\n"
      "INCONCLUSIVE  lock.graph  (the memory limit was reached)\n");
}

TEST(ResultText, OfAnErrorHasFiguresOnlyIfSomethingWasSearched) {
  CheckResult result = result_with(Outcome::error, Exit::system, "the disk is broken");
  EXPECT_EQ(result_text(subject_of(kModel), result, {}), "ERROR  the disk is broken\n");
  result.statistics.add({1, 1, {}});
  EXPECT_EQ(result_text(subject_of(kModel), result, {}),
            "  1 state   1 transition   depth 0   0.04 s   memory 5.0 MiB\n"
            "  3 properties: none decided\n"
            "    invariant \"mutex\" (line 3): not decided\n"
            "    assertion \"sorted\" (line 4): not decided\n"
            "    no run-time error: not decided\n"
            "ERROR  the disk is broken\n");
}

TEST(VerdictLine, OfAnErrorDoesNotObeyWhatItQuotes) {
  EXPECT_EQ(brief(result_with(Outcome::error, Exit::model, "\x1b[2J\r")), "ERROR  \\x1b[2J\\x0d\n");
}

TEST(ResultText, EveryInconclusiveEndHasAdvice) {
  for (const Exit exit :
       {Exit::time, Exit::memory, Exit::bound, Exit::interrupted, Exit::terminated})
    EXPECT_NE(result_text(subject_of(kModel), result_with(Outcome::inconclusive, exit, "r"), {})
                  .find("No violation"),
              std::string::npos);
}

TEST(ResultText, OfAViolationBeginsWithTheCounterexample) {
  const CheckResult result = violated({trace_through({0, 1}, PropertyKind::invariant, 0)});
  EXPECT_EQ(result_text(subject_of(kModel), result, {}),
            "Counterexample for invariant \"mutex\", 1 step:\n"
            "  Step 0: start\n"
            "    state: a\n"
            "  Step 1: go\n"
            "    state: a -> b\n"
            "\n"
            "  0 states   0 transitions   depth 0   0.04 s   memory 5.0 MiB\n"
            "  3 properties: 1 VIOLATED, 2 not decided\n"
            "    invariant \"mutex\" (line 3): VIOLATED at depth 1\n"
            "    assertion \"sorted\" (line 4): not decided\n"
            "    no run-time error: not decided\n"
            "VIOLATED  lock.graph  invariant \"mutex\" at depth 1 (shortest)\n");
}

TEST(VerdictLine, NamesOnlySomeOfManyViolations) {
  std::string text = "initial a\n";
  for (int i = 0; i < 9; ++i) text += "bad p" + std::to_string(i) + ": a\n";
  const GraphModel graph("many", text);
  std::vector<Trace> traces;
  for (PropertyIndex i = 0; i < 9; ++i)
    traces.push_back(trace_through({0}, PropertyKind::invariant, i));
  EXPECT_EQ(result_text(subject_of(graph), violated(traces), {.brief = true}),
            "VIOLATED  many  invariant \"p0\", invariant \"p1\", invariant \"p2\" and 6 more at "
            "depth 0 (shortest)\n");
}

TEST(ResultText, FiguresAtEverySize) {
  CheckResult result = result_with(Outcome::verified, Exit::verified, "r");
  for (const std::uint64_t size :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 53,
        std::uint64_t{1000000000000}, std::uint64_t{1} << 63}) {
    result.statistics = {};
    result.statistics.add({size + 1, size, {}});
    const std::string text = result_text(subject_of(kModel), result, {});
    EXPECT_NE(text.find(with_commas(size + 1) + " states   " + with_commas(size) + " transitions"),
              std::string::npos);
  }
}

TEST(OpeningText, SaysWhatIsGoingToBeChecked) {
  EXPECT_EQ(opening_text(subject_of(kModel)),
            "lock.graph: 1 bit per state, 3 properties, 2 threads, up to 3.0 GiB of memory\n");
  const GraphModel other("x", "initial a b c\nbad a\n");
  Subject subject = subject_of(other);
  subject.threads = 1;
  EXPECT_EQ(opening_text(subject),
            "x: 2 bits per state, 2 properties, 1 thread, up to 3.0 GiB of memory\n");
}

}  // namespace
}  // namespace spillway
