// Random formulas on random systems, through the whole check, against a reference.
//
// SPILLWAY_CASES=20000 sets how many systems, SPILLWAY_SEED=17 begins with another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "algorithms/algorithms.h"
#include "cases.h"
#include "check/check.h"
#include "ltl/automaton/tight.h"
#include "ltl/automaton/translate.h"
#include "ltl/formula/evaluate.h"
#include "product/product_model.h"
#include "random_ltl.h"
#include "random_system.h"
#include "run_reference.h"
#include "support/check_in_memory.h"

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
    "owcty", "map", "ioemc", "semi-external", "iterative-deepening", "minimal"};

ltl::Formula random_formula(std::mt19937_64& random, std::size_t most_temporal) {
  for (;;) {
    const ltl::Formula formula =
        ltl::random_formula(random, 1 + static_cast<unsigned>(random() % 8));
    if (temporal_operators(formula) <= most_temporal) return formula;
  }
}

RunProperty property_of(const ltl::Formula& formula,
                        std::optional<ltl::Automaton> automaton = std::nullopt) {
  if (!automaton) automaton = ltl::translate(!formula, ltl::random_names());
  return {"formula", *std::move(automaton),
          [formula](std::span<const Letter> letters, std::size_t loop_start) {
            return !ltl::holds(formula, letters, loop_start);
          }};
}

struct Case {
  Case(std::uint64_t seed, bool fair, const Sizes& sizes)
      : Case(std::mt19937_64(seed), fair, sizes) {}
  Case(std::mt19937_64 random, bool fair, const Sizes& sizes)
      : system(random, sizes.most_states, kRules),
        formula(random_formula(random, sizes.most_temporal)) {
    how.stutters = random() % 2 == 0;
    for (RuleIndex rule = 0; fair && rule < kRules; ++rule)
      if (random() % 2 == 0) how.fair.push_back(rule);
    if (random() % 4 == 0) system.assume(random);
  }

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
    return {system, names, kMostSets - 8, "nobody"};
  }
  RunEnds ends() const { return how.stutters ? RunEnds::stutter : RunEnds::ignore; }
};

CheckResult checked(const Case& one, const Model& product, std::string_view algorithm,
                    unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.session.deadlock = Deadlock::off;
  options.memory_bytes = 64 << 20;
  options.runs.push_back({"formula", PropertyKind::ltl, [&]() -> const Model& { return product; }});
  for (const Algorithm& known : algorithms())
    if (known.name == algorithm) {
      options.run_algorithm = &known;
      return check_in_memory(one.system, algorithms().front(), options);
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
  Composition composition = one.system.composition();
  composition.free_bits = free_bits;
  const Model system(std::move(composition));
  const ProductModel product(system, property_of(one.formula), one.actors(), one.ends());
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

// The same automaton, whose states have other numbers.
ltl::Automaton turned_round(ltl::Automaton automaton) {
  const std::uint32_t last = automaton.states() - 1;
  std::ranges::reverse(automaton.transitions);
  for (std::uint32_t& state : automaton.initial) state = last - state;
  for (auto& transitions : automaton.transitions)
    for (ltl::Transition& transition : transitions) transition.target = last - transition.target;
  return automaton;
}

// A checkpoint is known by that: a row of a product has the number of a state of the automaton.
TEST(ProductTexts, SayHowRowsAreToBeRead) {
  std::mt19937_64 random(1);
  const Case one(1, false, kSmall);
  std::uint64_t turned = 0;
  for (int i = 0; i < 20; ++i) {
    RunProperty property = property_of(random_formula(random, kSmall.most_temporal));
    const ProductModel product(one.system, property, one.actors(), RunEnds::stutter);
    const ProductModel again(one.system, property, one.actors(), RunEnds::stutter);
    EXPECT_EQ(product.automaton(), again.automaton());
    EXPECT_EQ(product.layout(), again.layout());
    EXPECT_NE(product.layout(), one.system.layout());
    property.automaton = turned_round(property.automaton);
    if (property.automaton.transitions == turned_round(property.automaton).transitions) continue;
    ++turned;
    EXPECT_NE(product.automaton(),
              ProductModel(one.system, property, one.actors(), RunEnds::stutter).automaton());
  }
  EXPECT_GT(turned, 5U);
}

template <class Check>
void for_random_systems(std::uint64_t usual, bool fair, Check check, Sizes sizes = kSmall) {
  const std::uint64_t first = number_from("SPILLWAY_SEED", 1), count = cases(usual);
  std::uint64_t violated = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Case one(seed, fair, sizes);
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

// Whether the system has a lasso of so many steps that is fair and violates the formula: all of
// them are tried, by the definitions of formulas and of fairness.
class LassosOfLength {
 public:
  LassosOfLength(const Case& one, std::size_t steps) : one_(one), steps_(steps) {}
  bool have_a_violation() {
    return std::ranges::any_of(one_.system.initial_states(), [&](std::uint32_t state) {
      states_ = {state};
      rules_.clear();
      return goes_on();
    });
  }

 private:
  bool goes_on() {
    const std::uint32_t at = states_.back();
    if (rules_.size() == steps_) return ends();
    std::vector<SystemStep> next = one_.system.steps_of(at);
    if (one_.how.stutters && one_.system.ends(at)) next = {{at, kStutterRule}};
    return std::ranges::any_of(next, [&](const SystemStep& step) {
      states_.push_back(step.to);
      rules_.push_back(step.rule);
      const bool found = goes_on();
      states_.pop_back();
      rules_.pop_back();
      return found;
    });
  }
  bool ends() const {
    std::vector<Letter> letters;
    for (std::size_t i = 0; i < steps_; ++i) letters.push_back(one_.system.letter(states_[i]));
    for (std::size_t start = 0; start < steps_; ++start)
      if (states_[start] == states_.back() && is_fair(start) &&
          !ltl::holds(one_.formula, letters, start))
        return true;
    return false;
  }
  bool is_fair(std::size_t start) const {
    return std::ranges::all_of(one_.how.fair, [&](RuleIndex rule) {
      for (std::size_t i = start; i < steps_; ++i) {
        const bool acts = rules_[i] == rule && states_[i] != states_[i + 1];
        const bool enabled = std::ranges::any_of(
            one_.system.steps_of(states_[i]),
            [&](const SystemStep& step) { return step.rule == rule && step.to != states_[i]; });
        if (acts || !enabled) return true;
      }
      return false;
    });
  }

  const Case& one_;
  const std::size_t steps_;
  std::vector<std::uint32_t> states_;
  std::vector<RuleIndex> rules_;
};

TEST(RandomSystems, NoRunThatViolatesHasFewerStepsThanOneThatIsCalledShortest) {
  constexpr std::size_t kMostTried = 8;  // steps
  std::uint64_t told = 0, untold = 0, shorter = 0;
  for (const bool fair : {false, true})
    for_random_systems(400, fair, [&](const Case& one) {
      std::optional<ltl::Automaton> tight =
          ltl::translate_tightly(!one.formula, ltl::random_names());
      ASSERT_TRUE(tight);
      const auto run_of = [&](const ProductModel& product, bool is_tight) {
        CheckOptions options;
        options.session.deadlock = Deadlock::off;
        options.memory_bytes = 64 << 20;
        options.minimal = true;
        options.runs.push_back(
            {"formula", PropertyKind::ltl, [&]() -> const Model& { return product; }, is_tight});
        return check_in_memory(one.system, algorithms().front(), options);
      };
      const ProductModel of_tight(one.system, property_of(one.formula, std::move(tight)),
                                  one.actors(), one.ends());
      const ProductModel of_small(one.system, property_of(one.formula), one.actors(), one.ends());
      const CheckResult found = run_of(of_tight, true), usual = run_of(of_small, false);
      ASSERT_EQ(found.traces.size(), usual.traces.size());
      if (found.traces.empty()) return;
      ASSERT_FALSE(usual.traces[0].shortest);
      const std::size_t steps = found.traces[0].steps.size() - 1;
      ASSERT_LE(steps, usual.traces[0].steps.size() - 1);
      shorter += steps + 1 < usual.traces[0].steps.size() ? 1 : 0;
      (found.traces[0].shortest ? told : untold) += 1;
      if (!found.traces[0].shortest) return;
      for (std::size_t fewer = 1; fewer < std::min(steps, kMostTried + 1); ++fewer)
        ASSERT_FALSE(LassosOfLength(one, fewer).have_a_violation())
            << steps << " steps are called fewest, but " << fewer << " suffice";
    });
  std::cout << told << " called shortest, " << untold << " not, " << shorter
            << " shorter than with the usual automaton\n";
  EXPECT_GT(told, untold * 9);
  if (told >= 100) {
    EXPECT_GT(shorter, 0U);
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
    const Case one(seed, seed % 2 == 0, kWithoutReference);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ProductModel product(one.system, property_of(one.formula), one.actors(), one.ends());
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
