// The gate, situation by situation: what may be said in text, in JSON and by the exit code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "check/check.h"
#include "language/graph/graph_model.h"
#include "report/json.h"
#include "report/text.h"

namespace spillway {
namespace {

const GraphModel kModel("two", "initial a\na -> b\nbad first: b\nbad second: b\nassert third: b\n");

Finding finding(PropertyKind kind, PropertyIndex property = 0) {
  return {kind, property, 1, {1}, {}};
}

// Evidence of an engine that counts what it stores, expands and puts into levels.
struct Counted : Evidence {
  std::uint64_t stored = 0;
  std::uint64_t counted = 0;
};

Verdict judge(const Counted& counted) {
  Evidence e = counted;
  e.obligations = every_state_expanded(counted.stored, counted.expanded);
  e.obligations.push_back(levels_add_up(counted.counted, counted.expanded));
  return spillway::judge(e);
}

// A search that came to its end and found nothing.
Counted complete() {
  Counted e;
  e.search_returned = true;
  e.goals_decided = true;
  e.initial_states = 1;
  e.stored = e.expanded = e.counted = 2;
  return e;
}

Counted stopped(Stop why) {
  Counted e = complete();
  e.search_returned = e.goals_decided = false;
  e.stop = why;
  return e;
}

Counted found(std::vector<Finding> findings) {
  Counted e = complete();
  e.search_returned = e.goals_decided = false;
  e.findings = std::move(findings);
  e.traces_confirmed = true;
  return e;
}

// Of a search that came to its end; then the properties were decided that need all states.
Counted found_in_the_end(std::vector<Finding> findings) {
  Counted e = complete();
  e.findings = std::move(findings);
  e.traces_confirmed = true;
  return e;
}

Counted failed(Fault fault) {
  Counted e = complete();
  e.fault = fault;
  e.fault_sentence = "something broke";
  return e;
}

Counted changed(Counted e, const std::function<void(Counted&)>& change) {
  change(e);
  return e;
}

struct Situation {
  const char* name;
  Counted evidence;
  Outcome outcome;
  int exit;
  const char* json;
};

void PrintTo(const Situation& situation, std::ostream* out) { *out << situation.name; }

const PropertyKind kInvariant = PropertyKind::invariant;
const PropertyKind kAssertion = PropertyKind::assertion;
const PropertyKind kDeadlock = PropertyKind::deadlock;
const PropertyKind kError = PropertyKind::runtime_error;
const PropertyKind kCover = PropertyKind::cover;
const PropertyKind kReachable = PropertyKind::reachable;

const std::vector<Situation>& situations() {
  static const std::vector<Situation> all = {
      {"complete", complete(), Outcome::verified, 0, "verified"},
      {"complete_with_signatures", changed(complete(), [](Counted& e) { e.omission_bound = 1e-9; }),
       Outcome::verified_probabilistic, 0, "verified-probabilistic"},
      {"signatures_whose_bound_is_no_probability",
       changed(complete(), [](Counted& e) { e.omission_bound = 1.5; }), Outcome::inconclusive, 23,
       "inconclusive"},
      {"signatures_whose_bound_is_negative",
       changed(complete(), [](Counted& e) { e.omission_bound = -1; }), Outcome::error, 255,
       "error"},
      {"signatures_whose_bound_is_nothing",
       changed(complete(), [](Counted& e) { e.omission_bound = 0; }), Outcome::error, 255, "error"},
      {"signatures_and_a_cover_property_that_was_not_seen_to_hold",
       changed(complete(),
               [](Counted& e) {
                 e.omission_bound = 1e-9;
                 e.cover_open = true;
               }),
       Outcome::inconclusive, 23, "inconclusive"},
      {"a_property_that_cannot_be_checked",
       changed(complete(), [](Counted& e) { e.unchecked = {"LTL"}; }), Outcome::inconclusive, 24,
       "inconclusive"},
      {"a_property_that_cannot_be_checked_and_time",
       changed(stopped(Stop::time), [](Counted& e) { e.unchecked = {"LTL"}; }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"a_property_that_cannot_be_checked_and_a_violation",
       changed(found({finding(kDeadlock)}), [](Counted& e) { e.unchecked = {"LTL"}; }),
       Outcome::violated, 11, "violated"},
      {"goals_not_decided_for_no_reason",
       changed(complete(), [](Counted& e) { e.goals_decided = false; }), Outcome::error, 255,
       "error"},
      {"goals_need_more_memory",
       changed(stopped(Stop::goals), [](Counted& e) { e.search_returned = true; }),
       Outcome::inconclusive, 22, "inconclusive"},
      {"goals_would_need_more_memory", stopped(Stop::goals), Outcome::inconclusive, 22,
       "inconclusive"},
      {"cover", found_in_the_end({finding(kCover, 0)}), Outcome::violated, 15, "violated"},
      {"reachable", found_in_the_end({finding(kReachable, 0)}), Outcome::violated, 13, "violated"},
      {"cover_and_reachable", found_in_the_end({finding(kCover, 0), finding(kReachable, 1)}),
       Outcome::violated, 15, "violated"},
      {"cover_and_then_out_of_time",
       changed(found_in_the_end({finding(kCover, 0)}),
               [](Counted& e) {
                 e.stop = Stop::time;
                 e.goals_decided = false;
               }),
       Outcome::violated, 15, "violated"},
      {"a_formula_and_then_out_of_time_for_another",
       changed(found_in_the_end({finding(PropertyKind::ctl, 0)}),
               [](Counted& e) {
                 e.stop = Stop::time;
                 e.goals_decided = false;
               }),
       Outcome::violated, 13, "violated"},
      {"a_formula_and_time_was_over_when_all_was_decided",
       changed(found_in_the_end({finding(PropertyKind::ctl, 0)}),
               [](Counted& e) { e.stop = Stop::time; }),
       Outcome::violated, 13, "violated"},
      {"cover_but_a_state_was_lost",
       changed(found_in_the_end({finding(kCover, 0)}), [](Counted& e) { e.stored = 3; }),
       Outcome::error, 255, "error"},
      {"reachable_but_the_search_did_not_end",
       changed(found_in_the_end({finding(kReachable, 0)}),
               [](Counted& e) { e.search_returned = false; }),
       Outcome::error, 255, "error"},
      {"found_but_its_counterexample_was_not",
       changed(stopped(Stop::interrupted), [](Counted& e) { e.untraced = true; }),
       Outcome::inconclusive, 130, "inconclusive"},
      {"all_was_decided_but_a_counterexample_was_not_found_in_time",
       changed(complete(),
               [](Counted& e) {
                 e.stop = Stop::time;
                 e.untraced = true;
               }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"time", stopped(Stop::time), Outcome::inconclusive, 20, "inconclusive"},
      {"disk", stopped(Stop::disk), Outcome::inconclusive, 21, "inconclusive"},
      {"memory", stopped(Stop::memory), Outcome::inconclusive, 22, "inconclusive"},
      {"depth_bound", stopped(Stop::depth), Outcome::inconclusive, 23, "inconclusive"},
      {"state_bound", stopped(Stop::states), Outcome::inconclusive, 23, "inconclusive"},
      {"interrupted", stopped(Stop::interrupted), Outcome::inconclusive, 130, "inconclusive"},
      {"terminated", stopped(Stop::terminated), Outcome::inconclusive, 143, "inconclusive"},
      {"a_rank_was_lost", stopped(Stop::lost), Outcome::inconclusive, 26, "inconclusive"},
      {"stopped_although_the_search_returned",
       changed(stopped(Stop::time), [](Counted& e) { e.search_returned = true; }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"stopped_with_signatures",
       changed(stopped(Stop::time), [](Counted& e) { e.omission_bound = 0; }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"stopped_before_the_first_level",
       changed(stopped(Stop::time), [](Counted& e) { e.initial_states = e.counted = 0; }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"invariant", found({finding(kInvariant)}), Outcome::violated, 12, "violated"},
      {"invariant_and_all_states", found_in_the_end({finding(kInvariant)}), Outcome::violated, 12,
       "violated"},
      {"assertion_and_all_other_states", found_in_the_end({finding(kAssertion, 2)}),
       Outcome::violated, 14, "violated"},
      {"two_invariants", found({finding(kInvariant, 0), finding(kInvariant, 1)}), Outcome::violated,
       12, "violated"},
      {"assertion", found({finding(kAssertion, 2)}), Outcome::violated, 14, "violated"},
      {"deadlock", found({finding(kDeadlock)}), Outcome::violated, 11, "violated"},
      {"runtime_error", found({finding(kError)}), Outcome::violated, 75, "violated"},
      {"invariant_and_deadlock", found({finding(kInvariant), finding(kDeadlock)}),
       Outcome::violated, 12, "violated"},
      {"assertion_and_deadlock", found({finding(kAssertion, 2), finding(kDeadlock)}),
       Outcome::violated, 14, "violated"},
      {"deadlock_and_runtime_error", found({finding(kDeadlock), finding(kError)}),
       Outcome::violated, 11, "violated"},
      {"runtime_error_named_before_an_invariant", found({finding(kError), finding(kInvariant)}),
       Outcome::violated, 12, "violated"},
      {"violated_and_then_out_of_time",
       changed(found({finding(kInvariant)}), [](Counted& e) { e.stop = Stop::time; }),
       Outcome::violated, 12, "violated"},
      {"violated_and_then_interrupted",
       changed(found({finding(kDeadlock)}), [](Counted& e) { e.stop = Stop::interrupted; }),
       Outcome::violated, 11, "violated"},
      {"violated_but_not_confirmed",
       changed(found({finding(kInvariant)}), [](Counted& e) { e.traces_confirmed = false; }),
       Outcome::error, 255, "error"},
      {"violated_and_something_broke",
       changed(found({finding(kInvariant)}),
               [](Counted& e) {
                 e.fault = Fault::system;
                 e.fault_sentence = "the disk is gone";
               }),
       Outcome::error, 153, "error"},
      {"model_unusable", failed(Fault::model), Outcome::error, 150, "error"},
      {"system_refused", failed(Fault::system), Outcome::error, 153, "error"},
      {"stored_data_changed", failed(Fault::integrity), Outcome::error, 154, "error"},
      {"bug", failed(Fault::internal), Outcome::error, 255, "error"},
      {"usage", failed(Fault::usage), Outcome::error, 2, "error"},
      {"out_of_time_and_something_broke",
       changed(failed(Fault::system), [](Counted& e) { e.stop = Stop::time; }), Outcome::error, 153,
       "error"},
      {"no_initial_state",
       changed(complete(),
               [](Counted& e) { e.initial_states = e.stored = e.expanded = e.counted = 0; }),
       Outcome::error, 150, "error"},
      {"no_initial_state_and_so_no_cover",
       changed(found_in_the_end({finding(kCover, 0)}),
               [](Counted& e) { e.initial_states = e.stored = e.expanded = e.counted = 0; }),
       Outcome::error, 150, "error"},
      {"search_not_finished_for_no_reason",
       changed(complete(), [](Counted& e) { e.search_returned = false; }), Outcome::error, 255,
       "error"},
      {"state_stored_but_not_expanded", changed(complete(), [](Counted& e) { e.stored = 3; }),
       Outcome::error, 255, "error"},
      {"state_expanded_twice", changed(complete(), [](Counted& e) { e.expanded = e.counted = 3; }),
       Outcome::error, 255, "error"},
      {"levels_do_not_add_up", changed(complete(), [](Counted& e) { e.counted = 1; }),
       Outcome::error, 255, "error"},
      {"nothing_searched",
       changed(complete(), [](Counted& e) { e.stored = e.expanded = e.counted = 0; }),
       Outcome::error, 255, "error"},
      {"nothing_happened_at_all", Counted{}, Outcome::error, 150, "error"},
      {"a_trillion_states",
       changed(complete(),
               [](Counted& e) { e.stored = e.expanded = e.counted = 1'000'000'000'000; }),
       Outcome::verified, 0, "verified"},
      {"one_of_a_trillion_lost",
       changed(complete(),
               [](Counted& e) {
                 e.stored = e.expanded = e.counted = 1'000'000'000'000;
                 ++e.stored;
               }),
       Outcome::error, 255, "error"},
  };
  return all;
}

CheckResult result_of(const Counted& evidence) {
  CheckResult result;
  result.verdict = judge(evidence);
  if (result.verdict.outcome == Outcome::violated)
    for (const Finding& f : evidence.findings)
      result.traces.push_back({f, {{kNoRule, {0}}, {0, {1}}}, true});
  return result;
}

class Gate : public testing::TestWithParam<Situation> {
 protected:
  const Situation& situation = GetParam();
  CheckResult result = result_of(situation.evidence);
  Subject subject{"two.graph", "", &kModel, Deadlock::stuck, "ram", 1, 0};
};

TEST_P(Gate, Judges) {
  EXPECT_EQ(result.verdict.outcome, situation.outcome) << result.verdict.reason;
  EXPECT_FALSE(result.verdict.reason.empty());
}

TEST_P(Gate, HasItsExitCode) { EXPECT_EQ(static_cast<int>(result.verdict.exit), situation.exit); }

TEST_P(Gate, SaysSoInText) {
  for (const bool brief : {false, true}) {
    const std::string text = result_text(subject, result, {.brief = brief, .verbose = true});
    EXPECT_NE(text.find(std::string(word(situation.outcome)) + "  "), std::string::npos) << text;
    const bool verified = situation.outcome == Outcome::verified ||
                          situation.outcome == Outcome::verified_probabilistic;
    EXPECT_EQ(text.find("VERIFIED") != std::string::npos, verified) << text;
    const bool complete = result.verdict.complete;
    EXPECT_EQ(text.find(": holds\n") != std::string::npos ||
                  text.find(": holds (prob") != std::string::npos,
              complete && !brief)
        << text;
  }
}

TEST_P(Gate, SaysSoInJson) {
  const std::string text = to_json(subject, result, static_cast<int>(result.verdict.exit));
  const std::optional<ReadResult> read = read_result(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->verdict, situation.json);
  EXPECT_EQ(read->reason, result.verdict.reason);
  EXPECT_EQ(read->marked_final, result.verdict.final);
  const auto has_line = [&](const std::string& line) {
    return text.find("\n  " + line + ",\n") != std::string::npos;
  };
  EXPECT_TRUE(has_line(fmt::format("\"exit_code\": {}", situation.exit))) << text;
  EXPECT_TRUE(has_line(fmt::format("\"complete\": {}", result.verdict.complete))) << text;
  for (const ReadResult::Property& property : read->properties) {
    if (result.verdict.complete) continue;
    EXPECT_NE(property.verdict, "verified");
    EXPECT_NE(property.verdict, "verified-probabilistic");
  }
}

TEST_P(Gate, IsCompleteOnlyIfTheSearchIs) {
  const Counted& e = situation.evidence;
  const bool may = e.search_returned && !e.fault && e.stored == e.expanded &&
                   e.counted == e.expanded && e.stored > 0 && e.initial_states > 0 &&
                   situation.outcome != Outcome::error &&
                   std::ranges::none_of(e.findings, is_failure);
  const bool too_short = e.omission_bound && *e.omission_bound >= 1;
  EXPECT_EQ(result.verdict.complete, may && !too_short);
  if (situation.outcome == Outcome::verified) {
    EXPECT_TRUE(result.verdict.complete);
    EXPECT_FALSE(result.verdict.probabilistic);
  }
}

TEST_P(Gate, CanBeContinuedOnlyIfThatMayChangeIt) {
  const Counted& e = situation.evidence;
  // What is stopped within the level of a violation has not seen the others of that level.
  const bool all_done = e.search_returned && e.goals_decided && !e.untraced;
  EXPECT_EQ(result.verdict.final, situation.outcome != Outcome::error && (!e.stop || all_done));
  const std::string text = result_text(subject, result, {});
  const bool says_more = text.find("may be violated") != std::string::npos;
  if (situation.outcome == Outcome::violated) {
    EXPECT_EQ(says_more, !result.verdict.final);
    EXPECT_EQ(result.verdict.reason.find("; then ") != std::string::npos, !result.verdict.final);
  }
}

INSTANTIATE_TEST_SUITE_P(Situations, Gate, testing::ValuesIn(situations()),
                         [](const auto& test) { return std::string(test.param.name); });

// One sentence for each kind: what is said of one finding is not said of another.
TEST(GateReason, IsPutTogetherFromWhatWasFound) {
  const auto reason = [](const std::vector<Finding>& findings) {
    return judge(found_in_the_end(findings)).reason;
  };
  const Finding one = finding(kReachable, 0);
  Finding deep = finding(kReachable, 1);
  deep.depth = 1234;
  EXPECT_EQ(reason({finding(kInvariant)}), "counterexample of 1 step");
  EXPECT_EQ(reason({finding(kCover)}), "a cover property holds in no reachable state");
  EXPECT_EQ(reason({finding(kCover, 0), finding(kCover, 1)}),
            "2 cover properties hold in no reachable state");
  EXPECT_EQ(reason({finding(kCover), one, deep}),
            "a cover property holds in no reachable state; counterexample of 1 step for a liveness "
            "property; "
            "counterexample of 1,234 steps for a liveness property");
}

// Each kind of property, in each way in which a search can end.
struct Ending {
  const char* name;
  Verdict verdict;
  Outcome of_states;  // invariants, assertions, deadlocks, run-time errors
};
const std::vector<Ending>& endings() {
  static const std::vector<Ending> all = {
      {"complete", judge(complete()), Outcome::verified},
      {"complete, with signatures",
       judge(changed(complete(), [](Counted& e) { e.omission_bound = 1e-9; })),
       Outcome::verified_probabilistic},
      {"complete, something unchecked",
       judge(changed(complete(), [](Counted& e) { e.unchecked = {"LTL"}; })), Outcome::verified},
      {"complete, a cover property violated", judge(found_in_the_end({finding(kCover)})),
       Outcome::verified},
      {"complete, a liveness property violated", judge(found_in_the_end({finding(kReachable)})),
       Outcome::verified},
      {"complete, goals out of memory",
       judge(changed(stopped(Stop::goals), [](Counted& e) { e.search_returned = true; })),
       Outcome::verified},
      {"complete, goals out of time",
       judge(changed(stopped(Stop::time), [](Counted& e) { e.search_returned = true; })),
       Outcome::verified},
      {"violated", judge(found({finding(kInvariant)})), Outcome::inconclusive},
      {"time", judge(stopped(Stop::time)), Outcome::inconclusive},
      {"memory", judge(stopped(Stop::memory)), Outcome::inconclusive},
      {"goals", judge(stopped(Stop::goals)), Outcome::inconclusive},
      {"disk", judge(stopped(Stop::disk)), Outcome::inconclusive},
      {"depth", judge(stopped(Stop::depth)), Outcome::inconclusive},
      {"states", judge(stopped(Stop::states)), Outcome::inconclusive},
      {"interrupted", judge(stopped(Stop::interrupted)), Outcome::inconclusive},
      {"terminated", judge(stopped(Stop::terminated)), Outcome::inconclusive},
      {"lost", judge(stopped(Stop::lost)), Outcome::inconclusive},
      {"signatures too short", judge(changed(complete(), [](Counted& e) { e.omission_bound = 2; })),
       Outcome::inconclusive},
  };
  return all;
}

TEST(GateOfProperties, EachKindInEachEnding) {
  for (const Ending& ending : endings()) {
    SCOPED_TRACE(ending.name);
    const auto outcome = [&](PropertyKind kind, bool violated, bool decided) {
      return judge(PropertyEvidence{kind, violated, decided}, ending.verdict);
    };
    for (const PropertyKind kind : {kInvariant, kAssertion, kDeadlock, kError}) {
      EXPECT_EQ(outcome(kind, true, false), Outcome::violated);
      EXPECT_EQ(outcome(kind, false, false), ending.of_states);
      EXPECT_EQ(outcome(kind, false, true), ending.of_states);
    }
    EXPECT_EQ(outcome(kCover, true, false), Outcome::violated);
    EXPECT_EQ(outcome(kCover, false, true), Outcome::verified)
        << "a state where it holds is proof enough";
    EXPECT_EQ(outcome(kCover, false, false), Outcome::inconclusive);
    EXPECT_EQ(outcome(kReachable, true, true), Outcome::violated);
    EXPECT_EQ(outcome(kReachable, false, true), ending.of_states);
    EXPECT_EQ(outcome(kReachable, false, false), Outcome::inconclusive);
  }
}

TEST(GateOfProperties, OfAnErrorNothingIsKnown) {
  const Verdict error = judge(failed(Fault::integrity));
  for (const PropertyKind kind : {kInvariant, kAssertion, kDeadlock, kError, kCover, kReachable})
    for (const bool violated : {false, true})
      EXPECT_EQ(judge(PropertyEvidence{kind, violated, true}, error), Outcome::inconclusive);
}

TEST(GateTable, HasAtLeastThirtySituations) { EXPECT_GE(situations().size(), 30U); }

}  // namespace
}  // namespace spillway
