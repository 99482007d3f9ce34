// The words people read, letter by letter.
#include "report/text.h"

#include <gtest/gtest.h>

#include "base/quantity.h"
#include "unit/report/results.h"

namespace spillway {
namespace {

const GraphModel kModel("lock.graph",
                        "initial a\na -> b : go\nbad mutex: b\nassert sorted: b\nb -> a\n");

std::string brief(const CheckResult& result) {
  return result_text(subject_of(kModel), result, true);
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
  EXPECT_EQ(brief(violated({trace_through({0, 1}, FindingKind::invariant, 0)})),
            "VIOLATED  lock.graph  invariant \"mutex\" at depth 1 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0, 1}, FindingKind::assertion, 1)})),
            "VIOLATED  lock.graph  assertion \"sorted\" at depth 1 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0}, FindingKind::deadlock, 0)})),
            "VIOLATED  lock.graph  deadlock at depth 0 (shortest)\n");
  EXPECT_EQ(brief(violated({trace_through({0}, FindingKind::runtime_error, 0)})),
            "VIOLATED  lock.graph  run-time error at depth 0 (shortest)\n");
}

TEST(VerdictLine, OfSeveralViolationsAtOnce) {
  EXPECT_EQ(
      brief(violated({trace_through({0, 1}, FindingKind::invariant, 0),
                      trace_through({0, 1}, FindingKind::assertion, 1)})),
      "VIOLATED  lock.graph  invariant \"mutex\", assertion \"sorted\" at depth 1 (shortest)\n");
}

TEST(VerdictLine, OfACounterexampleThatMayNotBeTheShortest) {
  Trace trace = trace_through({0, 1}, FindingKind::invariant, 0);
  trace.shortest = false;
  EXPECT_EQ(brief(violated({trace})), "VIOLATED  lock.graph  invariant \"mutex\" at depth 1\n");
}

TEST(VerdictLine, WithoutAModelIsAllThereIs) {
  const CheckResult result =
      result_with(Outcome::error, Exit::model, "no/such.graph: no such file");
  const std::string line = "ERROR  no/such.graph: no such file\n";
  EXPECT_EQ(result_text(subject_without_model(), result, true), line);
  EXPECT_EQ(result_text(subject_without_model(), result, false), line);
}

// Errors in graphs show the line and a caret below it.
TEST(VerdictLine, KeepsTheLinesOfAReasonThatHasSeveral) {
  const std::string reason = "x.graph:2:3: unexpected character '='\n  a => b\n    ^";
  const std::string text =
      result_text(subject_without_model(), result_with(Outcome::error, Exit::model, reason), false);
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
      result_text(subject, result, false),
      "VERIFIED  lock.graph  (exhaustive, exact)\n"
      "  1,234 states   7,000,001 transitions   depth 1   2.00 s   617 states/s   memory 5.0 MiB\n"
      "  invariant \"mutex\": holds\n"
      "  assertion \"sorted\": holds\n"
      "  no deadlock: holds\n"
      "  no run-time error: holds\n");
}

TEST(ResultText, OfAnInconclusiveModelSaysWhatToDo) {
  CheckResult result =
      result_with(Outcome::inconclusive, Exit::memory, "the memory limit was reached");
  result.statistics.add({1, 1, {}});
  result.statistics.unfinished = Unfinished{1, 2000, 1500};
  EXPECT_EQ(
      result_text(subject_of(kModel), result, false),
      "INCONCLUSIVE  lock.graph  (the memory limit was reached)\n"
      "  1 state   1 transition   depth 0   0.04 s   memory 5.0 MiB\n"
      "  level 1 was not finished: 1,500 of its 2,000 states were expanded (not counted above)\n"
      "  invariant \"mutex\": not decided\n"
      "  assertion \"sorted\": not decided\n"
      "  no run-time error: not decided\n"
      "  No violation was found in the complete levels. Raise --memory, or make the model "
      "smaller.\n");
}

TEST(ResultText, OfAnErrorHasFiguresOnlyIfSomethingWasSearched) {
  CheckResult result = result_with(Outcome::error, Exit::system, "the disk is broken");
  EXPECT_EQ(result_text(subject_of(kModel), result, false), "ERROR  the disk is broken\n");
  result.statistics.add({1, 1, {}});
  EXPECT_EQ(result_text(subject_of(kModel), result, false),
            "ERROR  the disk is broken\n"
            "  1 state   1 transition   depth 0   0.04 s   memory 5.0 MiB\n"
            "  invariant \"mutex\": not decided\n"
            "  assertion \"sorted\": not decided\n"
            "  no run-time error: not decided\n");
}

TEST(VerdictLine, OfAnErrorDoesNotObeyWhatItQuotes) {
  EXPECT_EQ(brief(result_with(Outcome::error, Exit::model, "\x1b[2J\r")), "ERROR  \\x1b[2J\\x0d\n");
}

TEST(ResultText, EveryInconclusiveEndHasAdvice) {
  for (const Exit exit :
       {Exit::time, Exit::memory, Exit::bound, Exit::interrupted, Exit::terminated})
    EXPECT_NE(result_text(subject_of(kModel), result_with(Outcome::inconclusive, exit, "r"), false)
                  .find("No violation"),
              std::string::npos);
}

TEST(ResultText, OfAViolationBeginsWithTheCounterexample) {
  const CheckResult result = violated({trace_through({0, 1}, FindingKind::invariant, 0)});
  EXPECT_EQ(result_text(subject_of(kModel), result, false),
            "Counterexample for invariant \"mutex\", 1 step:\n"
            "  Step 0: start\n"
            "    state: a\n"
            "  Step 1: go\n"
            "    state: a -> b\n"
            "  The last state in full:\n"
            "    state: b\n"
            "\n"
            "VIOLATED  lock.graph  invariant \"mutex\" at depth 1 (shortest)\n"
            "  0 states   0 transitions   depth 0   0.04 s   memory 5.0 MiB\n"
            "  invariant \"mutex\": VIOLATED at depth 1\n"
            "  assertion \"sorted\": not decided\n"
            "  no run-time error: not decided\n");
}

TEST(ResultText, FiguresAtEverySize) {
  CheckResult result = result_with(Outcome::verified, Exit::verified, "r");
  for (const std::uint64_t size :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 53,
        std::uint64_t{1000000000000}, std::uint64_t{1} << 63}) {
    result.statistics = {};
    result.statistics.add({size + 1, size, {}});
    const std::string text = result_text(subject_of(kModel), result, false);
    EXPECT_NE(text.find(with_commas(size + 1) + " states   " + with_commas(size) + " transitions"),
              std::string::npos);
  }
}

TEST(OpeningText, SaysWhatIsGoingToBeChecked) {
  EXPECT_EQ(opening_text(subject_of(kModel)),
            "lock.graph: 1 bit per state, 2 properties, 2 threads, up to 3.0 GiB of memory\n");
  const GraphModel other("x", "initial a b c\nbad a\n");
  Subject subject = subject_of(other);
  subject.threads = 1;
  EXPECT_EQ(opening_text(subject),
            "x: 2 bits per state, 1 property, 1 thread, up to 3.0 GiB of memory\n");
}

}  // namespace
}  // namespace spillway
