// Random formulas on random systems, through the whole check, against a reference.
//
// SPILLWAY_CASES=20000 sets how many systems, SPILLWAY_SEED=17 begins with another one.
#include <gtest/gtest.h>

#include "cases.h"
#include "check/check.h"
#include "ltl/evaluate.h"
#include "ltl/translate.h"
#include "product/product_model.h"
#include "random_ltl.h"
#include "random_system.h"
#include "run_reference.h"
#include "safety/algorithms.h"

namespace spillway {
namespace {

// Bounded by what the reference takes (RunReference::kMostNodes).
struct Sizes {
  std::uint32_t most_states;
  std::size_t most_temporal;
};
constexpr Sizes kSmall{4, 5}, kLarge{32, 3}, kWithoutReference{400, 3};
constexpr RuleIndex kRules = 4;

struct Way {
  std::string_view algorithm;
  unsigned threads;
};
// These report one and the same run; the others some run.
constexpr Way kSameRun[] = {
    {"levels", 1}, {"auto", 2}, {"ram", 1}, {"sorted-runs", 2}, {"levels", 4}};
constexpr Way kSomeRun[] = {{"nested-dfs", 1}, {"ufscc", 1}, {"ufscc", 2}};
constexpr std::string_view kOnDisk[] = {
    "owcty", "map", "ioemc", "ioemc-tiered", "semi-external", "iterative-deepening", "minimal"};

ltl::Formula random_formula(std::mt19937_64& random, std::size_t most_temporal) {
  for (;;) {
    const ltl::Formula formula =
        ltl::random_formula(random, 1 + static_cast<unsigned>(random() % 8));
    if (temporal_operators(formula) <= most_temporal) return formula;
  }
}

RunProperty property_of(const ltl::Formula& formula) {
  return {"formula", ltl::translate(!formula, ltl::random_names()),
          [formula](std::span<const Letter> letters, std::size_t loop_start) {
            return !ltl::holds(formula, letters, loop_start);
          }};
}

struct Case {
  RandomSystem system;
  ltl::Formula formula;
  RunReference how;

  std::string text() const {
    std::string all = ltl::text(formula, ltl::random_names()) + " on " + system.text() +
                      (how.stutters ? "; stutters" : "; ends do not count");
    for (const RuleIndex rule : how.fair) all += "; fair to r" + std::to_string(rule);
    return all;
  }
  FairActors actors() const {
    std::vector<std::string> names;
    for (const RuleIndex rule : how.fair) names.push_back("r" + std::to_string(rule));
    return {system, names, kMostSets - 8};
  }
};

CheckResult checked(const Case& one, const Model& product, std::string_view algorithm,
                    unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.session.deadlock = Deadlock::off;
  options.memory_bytes = 64 << 20;
  options.runs.push_back({"formula", "ltl", [&]() -> const Model& { return product; }});
  for (const Algorithm& known : algorithms())
    if (known.name == algorithm) {
      options.run_algorithm = &known;
      return check(one.system, algorithms().front(), options);
    }
  ADD_FAILURE() << "no algorithm " << algorithm;
  return {};
}

// The counterexample, as one text.
std::string run_text(const CheckResult& result) {
  std::string text;
  for (const Trace& trace : result.traces) {
    text += std::to_string(trace.loop_start().value_or(0)) + ":";
    for (const Step& step : trace.steps)
      text += " " + std::to_string(step.rule) + "/" + std::to_string(step.row[0]);
  }
  return text;
}

void expect_verdict(const Case& one, std::string_view algorithm, unsigned threads,
                    std::size_t free_bits, std::string* run) {
  const ProductModel product(one.system, property_of(one.formula), one.actors(),
                             {one.how.stutters ? RunEnds::stutter : RunEnds::ignore, free_bits});
  const CheckResult result = checked(one, product, algorithm, threads);
  const bool violated = one.how.has_run(one.system, !one.formula);
  ASSERT_EQ(word(result.verdict.outcome), violated ? "VIOLATED" : "VERIFIED")
      << algorithm << ", " << result.verdict.reason;
  if (!violated) return;
  ASSERT_EQ(result.traces.size(), 1U);
  ASSERT_TRUE(result.traces[0].loop_start());
  if (run == nullptr) return;
  if (run->empty()) *run = run_text(result);
  ASSERT_EQ(*run, run_text(result)) << algorithm << " with " << threads << " threads";
}

Case random_case(std::uint64_t seed, bool fair, const Sizes& sizes) {
  std::mt19937_64 random(seed);
  Case one{RandomSystem(random, sizes.most_states, kRules),
           random_formula(random, sizes.most_temporal),
           {}};
  one.how.stutters = random() % 2 == 0;
  for (RuleIndex rule = 0; fair && rule < kRules; ++rule)
    if (random() % 2 == 0) one.how.fair.push_back(rule);
  if (random() % 4 == 0) one.system.assume(random);
  return one;
}

template <class Check>
void for_random_systems(std::uint64_t usual, bool fair, Check check, Sizes sizes = kSmall) {
  const std::uint64_t first = number_from("SPILLWAY_SEED", 1), count = cases(usual);
  std::uint64_t violated = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Case one = random_case(seed, fair, sizes);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + one.text());
    if (one.how.has_run(one.system, !one.formula)) ++violated;
    check(one);
    if (::testing::Test::HasFatalFailure()) return;
  }
  // Both verdicts occur, so that the comparison is worth something.
  if (count >= 100) {
    EXPECT_GT(violated, count / 10);
    EXPECT_LT(violated, count - count / 10);
  }
}

TEST(RandomSystems, FormulasHoldIfNoRunViolatesThem) {
  for_random_systems(400, false, [](const Case& one) {
    std::string run;
    for (const auto& [algorithm, threads] : kSameRun)
      ASSERT_NO_FATAL_FAILURE(expect_verdict(one, algorithm, threads, 0, &run));
    for (const auto& [algorithm, threads] : kSomeRun)
      ASSERT_NO_FATAL_FAILURE(expect_verdict(one, algorithm, threads, 0, nullptr));
  });
}

TEST(RandomSystems, SearchesOnDiskAgree) {
  const auto agree = [](const Case& one) {
    for (const std::string_view algorithm : kOnDisk)
      ASSERT_NO_FATAL_FAILURE(expect_verdict(one, algorithm, 1, 0, nullptr));
  };
  for_random_systems(20, true, agree);
  for_random_systems(40, true, agree, kLarge);
}

// Hundreds of states, with long cycles and several components: too many for the reference, which
// has found the search in memory right on small ones.
TEST(RandomSystems, SearchesOnDiskAgreeWithThatInMemory) {
  std::uint64_t most_states = 0, violated = 0;
  const std::uint64_t count = cases(16);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Case one = random_case(seed, seed % 2 == 0, kWithoutReference);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ProductModel product(one.system, property_of(one.formula), one.actors(),
                               {one.how.stutters ? RunEnds::stutter : RunEnds::ignore, 0});
    const CheckResult wanted = checked(one, product, "levels", 1);
    most_states = std::max(most_states, wanted.statistics.states);
    if (wanted.verdict.outcome == Outcome::violated) ++violated;
    for (const std::string_view algorithm : kOnDisk)
      ASSERT_EQ(word(checked(one, product, algorithm, 1).verdict.outcome),
                word(wanted.verdict.outcome))
          << algorithm;
  }
  if (count < 16) return;
  EXPECT_GT(most_states, 100U);
  EXPECT_GT(violated, 0U);
  EXPECT_LT(violated, count);
}

TEST(RandomSystems, FairnessLeavesOutUnfairRunsOnly) {
  for_random_systems(600, true,
                     [](const Case& one) { expect_verdict(one, "auto", 2, 0, nullptr); });
}

TEST(RandomSystems, AutomatonStatesInFreeBitsAreTheSame) {
  for_random_systems(200, true,
                     [](const Case& one) { expect_verdict(one, "auto", 1, 56, nullptr); });
}

}  // namespace
}  // namespace spillway
