// The gate, situation by situation: what may be said in text, in JSON and by the exit code.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/graph_model.h"
#include "report/json.h"
#include "report/text.h"
#include "run/check.h"

namespace spillway {
namespace {

const GraphModel kModel("two", "initial a\na -> b\nbad first: b\nbad second: b\nassert third: b\n");

Finding finding(FindingKind kind, PropertyIndex property = 0) { return {kind, property, 1, {1}, {}}; }

// A search that came to its end and found nothing.
Evidence complete() {
  Evidence e;
  e.search_returned = true;
  e.initial_states = 1;
  e.stored = e.expanded = e.counted = 2;
  return e;
}

Evidence stopped(Stop why) {
  Evidence e = complete();
  e.search_returned = false;
  e.stop = why;
  return e;
}

Evidence found(std::vector<Finding> findings) {
  Evidence e = complete();
  e.search_returned = false;
  e.findings = std::move(findings);
  e.traces_confirmed = true;
  return e;
}

Evidence failed(Fault fault) {
  Evidence e = complete();
  e.fault = fault;
  e.fault_sentence = "something broke";
  return e;
}

Evidence changed(Evidence e, const std::function<void(Evidence&)>& change) {
  change(e);
  return e;
}

struct Situation {
  const char* name;
  Evidence evidence;
  Outcome outcome;
  int exit;
  const char* json;
};

void PrintTo(const Situation& situation, std::ostream* out) { *out << situation.name; }

const FindingKind kInvariant = FindingKind::invariant;
const FindingKind kAssertion = FindingKind::assertion;
const FindingKind kDeadlock = FindingKind::deadlock;
const FindingKind kError = FindingKind::runtime_error;

const std::vector<Situation>& situations() {
  static const std::vector<Situation> all = {
      {"complete", complete(), Outcome::verified, 0, "verified"},
      {"complete_with_signatures", changed(complete(), [](Evidence& e) { e.omission_bound = 1e-9; }),
       Outcome::verified_probabilistic, 0, "verified-probabilistic"},
      {"signatures_whose_bound_is_no_probability", changed(complete(), [](Evidence& e) { e.omission_bound = 1.5; }),
       Outcome::inconclusive, 23, "inconclusive"},
      {"signatures_whose_bound_is_negative", changed(complete(), [](Evidence& e) { e.omission_bound = -1; }),
       Outcome::error, 255, "error"},
      {"time", stopped(Stop::time), Outcome::inconclusive, 20, "inconclusive"},
      {"disk", stopped(Stop::disk), Outcome::inconclusive, 21, "inconclusive"},
      {"memory", stopped(Stop::memory), Outcome::inconclusive, 22, "inconclusive"},
      {"depth_bound", stopped(Stop::depth), Outcome::inconclusive, 23, "inconclusive"},
      {"state_bound", stopped(Stop::states), Outcome::inconclusive, 23, "inconclusive"},
      {"interrupted", stopped(Stop::interrupted), Outcome::inconclusive, 130, "inconclusive"},
      {"terminated", stopped(Stop::terminated), Outcome::inconclusive, 143, "inconclusive"},
      {"stopped_although_the_search_returned",
       changed(stopped(Stop::time), [](Evidence& e) { e.search_returned = true; }), Outcome::inconclusive, 20,
       "inconclusive"},
      {"stopped_with_signatures", changed(stopped(Stop::time), [](Evidence& e) { e.omission_bound = 0; }),
       Outcome::inconclusive, 20, "inconclusive"},
      {"stopped_before_the_first_level",
       changed(stopped(Stop::time), [](Evidence& e) { e.initial_states = e.counted = 0; }), Outcome::inconclusive, 20,
       "inconclusive"},
      {"invariant", found({finding(kInvariant)}), Outcome::violated, 12, "violated"},
      {"two_invariants", found({finding(kInvariant, 0), finding(kInvariant, 1)}), Outcome::violated, 12, "violated"},
      {"assertion", found({finding(kAssertion, 2)}), Outcome::violated, 14, "violated"},
      {"deadlock", found({finding(kDeadlock)}), Outcome::violated, 11, "violated"},
      {"runtime_error", found({finding(kError)}), Outcome::violated, 75, "violated"},
      {"invariant_and_deadlock", found({finding(kInvariant), finding(kDeadlock)}), Outcome::violated, 12, "violated"},
      {"assertion_and_deadlock", found({finding(kAssertion, 2), finding(kDeadlock)}), Outcome::violated, 14,
       "violated"},
      {"deadlock_and_runtime_error", found({finding(kDeadlock), finding(kError)}), Outcome::violated, 11, "violated"},
      {"runtime_error_named_before_an_invariant", found({finding(kError), finding(kInvariant)}), Outcome::violated, 12,
       "violated"},
      {"violated_and_then_out_of_time", changed(found({finding(kInvariant)}), [](Evidence& e) { e.stop = Stop::time; }),
       Outcome::violated, 12, "violated"},
      {"violated_and_then_interrupted",
       changed(found({finding(kDeadlock)}), [](Evidence& e) { e.stop = Stop::interrupted; }), Outcome::violated, 11,
       "violated"},
      {"violated_but_not_confirmed",
       changed(found({finding(kInvariant)}), [](Evidence& e) { e.traces_confirmed = false; }), Outcome::error, 255,
       "error"},
      {"violated_and_something_broke",
       changed(found({finding(kInvariant)}),
               [](Evidence& e) {
                 e.fault = Fault::system;
                 e.fault_sentence = "the disk is gone";
               }),
       Outcome::error, 153, "error"},
      {"model_unusable", failed(Fault::model), Outcome::error, 150, "error"},
      {"system_refused", failed(Fault::system), Outcome::error, 153, "error"},
      {"stored_data_changed", failed(Fault::integrity), Outcome::error, 154, "error"},
      {"bug", failed(Fault::internal), Outcome::error, 255, "error"},
      {"usage", failed(Fault::usage), Outcome::error, 2, "error"},
      {"out_of_time_and_something_broke", changed(failed(Fault::system), [](Evidence& e) { e.stop = Stop::time; }),
       Outcome::error, 153, "error"},
      {"no_initial_state",
       changed(complete(), [](Evidence& e) { e.initial_states = e.stored = e.expanded = e.counted = 0; }),
       Outcome::error, 150, "error"},
      {"search_not_finished_for_no_reason", changed(complete(), [](Evidence& e) { e.search_returned = false; }),
       Outcome::error, 255, "error"},
      {"state_stored_but_not_expanded", changed(complete(), [](Evidence& e) { e.stored = 3; }), Outcome::error, 255,
       "error"},
      {"state_expanded_twice", changed(complete(), [](Evidence& e) { e.expanded = e.counted = 3; }), Outcome::error,
       255, "error"},
      {"levels_do_not_add_up", changed(complete(), [](Evidence& e) { e.counted = 1; }), Outcome::error, 255, "error"},
      {"nothing_searched", changed(complete(), [](Evidence& e) { e.stored = e.expanded = e.counted = 0; }),
       Outcome::error, 255, "error"},
      {"nothing_happened_at_all", Evidence{}, Outcome::error, 150, "error"},
      {"a_trillion_states",
       changed(complete(), [](Evidence& e) { e.stored = e.expanded = e.counted = 1'000'000'000'000; }),
       Outcome::verified, 0, "verified"},
      {"one_of_a_trillion_lost",
       changed(complete(),
               [](Evidence& e) {
                 e.stored = e.expanded = e.counted = 1'000'000'000'000;
                 ++e.stored;
               }),
       Outcome::error, 255, "error"},
  };
  return all;
}

CheckResult result_of(const Evidence& evidence) {
  CheckResult result;
  result.verdict = judge(evidence);
  if (result.verdict.outcome == Outcome::violated)
    for (const Finding& f : evidence.findings) result.traces.push_back({f, {{kNoRule, {0}}, {0, {1}}}, true});
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
    const std::string text = result_text(subject, result, brief);
    EXPECT_NE(text.find(std::string(word(situation.outcome)) + "  "), std::string::npos) << text;
    const bool verified =
        situation.outcome == Outcome::verified || situation.outcome == Outcome::verified_probabilistic;
    EXPECT_EQ(text.find("VERIFIED") != std::string::npos, verified) << text;
    EXPECT_EQ(text.find("holds") != std::string::npos, verified && !brief) << text;
  }
}

TEST_P(Gate, SaysSoInJson) {
  const auto json = nlohmann::json::parse(to_json(subject, result, static_cast<int>(result.verdict.exit)));
  EXPECT_EQ(json["verdict"], situation.json);
  EXPECT_EQ(json["exit_code"], situation.exit);
  EXPECT_EQ(json["reason"], result.verdict.reason);
  for (const auto& property : json["properties"]) {
    const bool may_hold =
        situation.outcome == Outcome::verified || situation.outcome == Outcome::verified_probabilistic;
    if (!may_hold) {
      EXPECT_NE(property["verdict"], "verified");
      EXPECT_NE(property["verdict"], "verified-probabilistic");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Situations, Gate, testing::ValuesIn(situations()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(GateTable, HasAtLeastThirtySituations) { EXPECT_GE(situations().size(), 30U); }

}  // namespace
}  // namespace spillway
