// Runs that depth-first searches and those on disk report: any accepting cycle will do, but it must
// be one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cases.h"
#include "check/check.h"
#include "language/graph/graph_model.h"
#include "papers/cycles/ioemc.h"
#include "papers/cycles/map.h"
#include "papers/cycles/owcty.h"
#include "papers/depth_first/nested_dfs.h"
#include "papers/depth_first/ufscc.h"
#include "support/changed_steps.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

const Algorithm kSearches[] = {
    {.name = "nested-dfs",
     .summary = "",
     .states = [](const SearchContext& context) { return make_nested_dfs(context); },
     .in_levels = false},
    {.name = "ufscc",
     .summary = "",
     .states = [](const SearchContext& context) { return make_ufscc(context); },
     .in_levels = false},
    {.name = "ioemc",
     .summary = "",
     .states = [](const SearchContext& context) { return make_ioemc(context); },
     .in_levels = false},
    {.name = "owcty",
     .summary = "",
     .states = [](const SearchContext& context) { return make_owcty(context); },
     .in_levels = false},
    {.name = "map",
     .summary = "",
     .states = [](const SearchContext& context) { return make_map(context); },
     .in_levels = false},
};
bool reads_everything_in_each_level(const Algorithm& algorithm) {
  return algorithm.name == "owcty" || algorithm.name == "map";
}

// All in memory is one element.
const Algorithm kLittleIoemc{.name = "ioemc",
                             .summary = "",
                             .states =
                                 [](const SearchContext& context) {
                                   return make_ioemc(context,
                                                     {.recent = 1, .path = 1, .block_records = 2});
                                 },
                             .in_levels = false};

// A graph in which the step to state i is in set i % sets; none if there are no sets.
class MarkedGraph final : public ChangedSteps, public Acceptance {
 public:
  MarkedGraph(const GraphModel& graph, unsigned sets) : ChangedSteps(graph), sets_(sets) {
    composition_.acceptance = this;
  }
  std::optional<std::string> property() const override { return "no run"; }
  bool marks_steps() const override { return true; }
  unsigned sets() const override { return sets_; }
  void successors(State state, Successors& out) const override {
    const std::size_t before = out.size();
    ChangedSteps::successors(state, out);
    if (out.marks() == nullptr) return;
    for (std::size_t i = before; i < out.size(); ++i)
      *(out.marks() - out.size() + i) = sets_ == 0 ? 0 : SetMask{1} << out.states()[i][0] % sets_;
  }

 private:
  const unsigned sets_;
};

struct Found {
  CheckResult result;
  std::vector<std::string> said;
};

Found search(const Algorithm& algorithm, const Model& model, unsigned threads = 2) {
  Found found;
  CheckOptions options;
  options.memory_bytes = std::uint64_t{256} << 20;
  options.session.threads = threads;
  options.session.announcer = [&](const std::string& sentence) { found.said.push_back(sentence); };
  found.result = check_in_memory(model, algorithm, options);
  return found;
}

std::string ring(unsigned states) {
  std::string text = "initial 0\n";
  for (unsigned i = 0; i < states; ++i)
    text += std::to_string(i) + " -> " + std::to_string((i + 1) % states) + "\n";
  return text;
}

TEST(DepthFirstRuns, MeetAllSets) {
  for (const Algorithm& algorithm : kSearches)
    for (const unsigned sets : {0U, 1U, 3U, 64U}) {
      if (sets == 64 && reads_everything_in_each_level(algorithm)) continue;
      SCOPED_TRACE(testing::Message() << algorithm.name << ", " << sets << " sets");
      GraphModel graph("ring", ring(70));
      const Found found = search(algorithm, MarkedGraph(graph, sets));
      EXPECT_EQ(found.result.verdict.outcome, Outcome::violated) << found.result.verdict.reason;
      ASSERT_EQ(found.result.traces.size(), 1U);
      EXPECT_EQ(found.result.traces[0].finding.loop.size(), 70U);
      EXPECT_FALSE(found.result.traces[0].shortest);
    }
}

TEST(DepthFirstRuns, AreNotReportedIfASetIsMissing) {
  for (const Algorithm& algorithm : kSearches) {
    SCOPED_TRACE(algorithm.name);
    GraphModel graph("ring", ring(30));
    const Found found = search(algorithm, MarkedGraph(graph, 31));
    EXPECT_EQ(found.result.verdict.outcome, Outcome::verified) << found.result.verdict.reason;
    EXPECT_EQ(found.result.statistics.states, 30U);
  }
}

TEST(DepthFirstRuns, SayThatOthersAreShorter) {
  for (const Algorithm& algorithm : kSearches) {
    const Found found =
        search(algorithm, GraphModel("g", "initial a\na -> b\nb -> b\naccepting b\n"));
    EXPECT_EQ(found.result.traces.size(), 1U);
    EXPECT_TRUE(std::ranges::any_of(found.said, [](const std::string& sentence) {
      return sentence.find("first run that it comes upon") != std::string::npos;
    })) << algorithm.name;
  }
}

// Neither search may need the stack of its thread.
TEST(DepthFirstRuns, MayBeLong) {
  const unsigned kStates = take_all() ? 100'000 : 25'000;
  std::string text = "initial 0\naccepting 0\n";
  for (unsigned i = 0; i < kStates; ++i)
    text += std::to_string(i) + " -> " + std::to_string(i + 1) + "\n";
  for (const Algorithm& algorithm : kSearches) {
    if (reads_everything_in_each_level(algorithm)) continue;
    const Found found = search(algorithm, GraphModel("chain", text));
    EXPECT_EQ(found.result.verdict.outcome, Outcome::verified) << found.result.verdict.reason;
    EXPECT_EQ(found.result.statistics.states, kStates + 1);
  }
}

// Algorithms 4 and 5 of Wu et al. go on for ever, as printed, when a successor is not in memory but
// on disk.
TEST(DepthFirstRuns, EndIfAllSuccessorsAreOnDisk) {
  constexpr unsigned kStates = 12;
  std::string text = "initial 0\n";
  for (unsigned i = 0; i < kStates; ++i)
    for (unsigned j = 0; j < kStates; ++j)
      text += std::to_string(i) + " -> " + std::to_string(j) + "\n";
  text += "end -> end\naccepting end\n";
  const Found found = search(kLittleIoemc, GraphModel("complete", text));
  EXPECT_EQ(found.result.verdict.outcome, Outcome::verified) << found.result.verdict.reason;
  EXPECT_EQ(found.result.statistics.states, kStates);
  EXPECT_EQ(found.result.statistics.transitions, kStates * kStates);
}

TEST(DepthFirstRuns, BeginInAnyInitialState) {
  const std::string text =
      "initial a\ninitial b\ninitial c\na -> a\nb -> a\nb -> c\nc -> d\nd -> c\naccepting d\n";
  for (const Algorithm& algorithm : kSearches) {
    const Found found = search(algorithm, GraphModel("three", text));
    EXPECT_EQ(found.result.verdict.outcome, Outcome::violated) << algorithm.name;
  }
  EXPECT_EQ(search(kLittleIoemc, GraphModel("three", text)).result.verdict.outcome,
            Outcome::violated);
}

// A path of which one entry is in memory, and the report of all of it.
TEST(DepthFirstRuns, AreReportedFromDisk) {
  const unsigned states = take_all() ? 300 : 100;
  for (const unsigned sets : {0U, 1U, 3U}) {
    GraphModel graph("ring", ring(states));
    const Found found = search(kLittleIoemc, MarkedGraph(graph, sets));
    EXPECT_EQ(found.result.verdict.outcome, Outcome::violated) << found.result.verdict.reason;
    ASSERT_EQ(found.result.traces.size(), 1U);
    EXPECT_EQ(found.result.traces[0].finding.loop.size(), states);
  }
}

}  // namespace
}  // namespace spillway
