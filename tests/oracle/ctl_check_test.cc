// Formulas of branching time through the whole check, with every search that decides them.
//
// How many systems: SPILLWAY_CASES.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithms.h"
#include "cases.h"
#include "check/check.h"
#include "ltl/reading/parse_ctl.h"
#include "oracle/ctl_reference.h"
#include "oracle/random_system.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

const std::vector<std::string> kAtomNames = {"a", "b", "c"};

ltl::NamedCtl some_formula(std::mt19937_64& random) {
  const std::string text = random_ctl(random, kAtomNames, 1 + static_cast<unsigned>(random() % 5));
  const ltl::ParsedCtl parsed = ltl::parse_ctl("", text, {});
  std::vector<std::uint32_t> numbers;
  for (const ltl::Atom& atom : parsed.atoms)
    numbers.push_back(
        static_cast<std::uint32_t>(std::ranges::find(kAtomNames, atom.text) - kAtomNames.begin()));
  return {text, ltl::renumbered(parsed.formula, numbers)};
}

// A state without successors leads to itself, unless there are some that assumptions exclude.
LabelledGraph graph_of(const RandomSystem& system) {
  LabelledGraph graph;
  for (std::uint32_t i = 0; i < system.states(); ++i) {
    graph.letters.push_back(system.letter(i));
    std::vector<std::uint64_t>& targets = graph.targets.emplace_back();
    for (const SystemStep& step : system.steps_of(i)) targets.push_back(step.to);
    if (system.ends(i)) targets.push_back(i);
  }
  return graph;
}

bool holds_at_first(const RandomSystem& system, const ltl::CtlFormula& formula) {
  const std::vector<bool> where = ctl_reference(graph_of(system), formula);
  return std::ranges::all_of(system.initial_states(), [&](std::uint32_t i) { return where[i]; });
}

CheckResult checked(const RandomSystem& system, const std::vector<ltl::NamedCtl>& formulas,
                    std::string_view algorithm, unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.session.deadlock = Deadlock::off;
  options.memory_bytes = 64 << 20;
  options.ctl = formulas;
  for (const Algorithm& known : algorithms())
    if (known.name == algorithm) return check_in_memory(system, known, options);
  ADD_FAILURE() << "no algorithm " << algorithm;
  return {};
}

std::string runs_text(const CheckResult& result) {
  std::string text;
  for (const Trace& trace : result.traces) {
    text += std::to_string(trace.finding.property) + (trace.finding.partial ? " partly" : "") +
            " back to " + std::to_string(trace.loop_start().value_or(0)) + ":";
    for (const Step& step : trace.steps) text += " " + std::to_string(step.row[0]);
    text += trace.remark + "\n";
  }
  return text;
}

TEST(CtlCheck, DecidesEachFormulaTheSameByEverySearch) {
  std::mt19937_64 random(11);
  std::uint64_t violated = 0, held = 0;
  const std::uint64_t count = cases(800);
  for (std::uint64_t i = 0; i < count; ++i) {
    RandomSystem system(random, 8, 3);
    if (i % 2 == 1) system.assume(random);
    const std::vector<ltl::NamedCtl> formulas = {some_formula(random), some_formula(random)};
    SCOPED_TRACE(testing::Message() << i << ": " << formulas[0].name << ", " << formulas[1].name
                                    << " on " << system.text());
    std::string runs;
    for (const auto& [algorithm, threads] :
         {std::pair{"ram", 1U}, {"auto", 2U}, {"sorted-runs", 1U}}) {
      const CheckResult result = checked(system, formulas, algorithm, threads);
      const std::vector<PropertyResult> properties = result.properties(system, Deadlock::off);
      ASSERT_EQ(properties.size(), 3U) << result.verdict.reason;  // and no run-time error
      for (std::size_t f = 0; f < 2; ++f) {
        const bool wanted = holds_at_first(system, formulas[f].formula);
        ASSERT_EQ(properties[f + 1].kind, PropertyKind::ctl);
        ASSERT_EQ(word(properties[f + 1].outcome), wanted ? "VERIFIED" : "VIOLATED")
            << algorithm << ", " << formulas[f].name << ", " << result.verdict.reason;
        ++(wanted ? held : violated);
      }
      if (runs.empty()) runs = runs_text(result);
      ASSERT_EQ(runs_text(result), runs) << algorithm;
    }
  }
  EXPECT_GT(violated, count);
  EXPECT_GT(held, count);
}

}  // namespace
}  // namespace spillway
