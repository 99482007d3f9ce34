// A search that knows no levels uses the same parts, and the gate judges it by its own obligations.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "check/check.h"
#include "language/graph/graph_model.h"
#include "support/check_in_memory.h"
#include "unit/check/plain_search.h"

namespace spillway {
namespace {

struct Flaws {
  bool forgets = false;  // one of the states
  bool vouches = true;
  bool lies = false;  // says that nothing is wrong with its counts
};
Flaws flaws;

class DepthFirst final : public Search {
 public:
  using Search::Search;

  void search() override {
    for (const State s : expanders.initial()) push(s);
    while (!stack_.empty()) {
      const Row row = stack_.back();
      stack_.pop_back();
      if (flaws.forgets && stack_.empty() && known_.size() > 1) continue;
      expanders[0].clear();
      for (const State t : expanders[0].expand(row)) push(t);
      if (!session.findings.empty()) lookout.finish({});
    }
  }
  std::uint64_t stored() const override { return known_.size(); }
  std::vector<Obligation> obligations() const override {
    if (!flaws.vouches) return {};
    if (flaws.lies) return {{"something is wrong", false}};
    return Search::obligations();
  }

 private:
  using Row = std::vector<Word>;
  void push(State state) {
    Row row(state.begin(), state.end());
    if (known_.insert(row).second) stack_.push_back(std::move(row));
  }

  std::set<Row> known_;
  std::vector<Row> stack_;
};

constexpr Algorithm kDepthFirst{
    .name = "depth-first",
    .summary = "for tests",
    .states = [](const SearchContext& context) -> std::unique_ptr<Search> {
      return std::make_unique<DepthFirst>(context);
    },
    .retrace = &kPlain,
    .in_levels = false};

CheckResult checked(const std::string& graph, const Flaws& with = {}) {
  flaws = with;
  CheckOptions options;
  options.session.deadlock = Deadlock::off;
  options.memory_bytes = 1 << 20;
  return check_in_memory(GraphModel("graph", graph), kDepthFirst, options);
}

constexpr const char* kGraph = "initial a\na -> b c\nb -> d a\nc -> d\nd -> e\n";

TEST(DepthFirst, CountsWhatALevelSearchCounts) {
  const CheckResult result = checked(kGraph);
  EXPECT_EQ(result.verdict.outcome, Outcome::verified) << result.verdict.reason;
  CheckOptions options;
  options.memory_bytes = 1 << 20;
  const CheckResult plain = check_in_memory(GraphModel("graph", kGraph), kPlain, options);
  EXPECT_EQ(result.statistics.states, plain.statistics.states);
  EXPECT_EQ(result.statistics.transitions, plain.statistics.transitions);
  EXPECT_EQ(result.statistics.digest, plain.statistics.digest);
  EXPECT_FALSE(result.statistics.in_levels);
}

TEST(DepthFirst, ItsViolationsAreTracedByAnother) {
  const CheckResult result = checked(std::string(kGraph) + "bad d\n");
  EXPECT_EQ(result.verdict.outcome, Outcome::violated) << result.verdict.reason;
  ASSERT_EQ(result.traces.size(), 1U);
  EXPECT_EQ(result.traces[0].steps.size(), 3U);
}

TEST(DepthFirst, IsNotBelievedWhenItsCountsDoNotAgree) {
  const Verdict verdict = checked(kGraph, {.forgets = true}).verdict;
  EXPECT_EQ(verdict.outcome, Outcome::error);
  EXPECT_NE(verdict.reason.find("states were stored but not expanded"), std::string::npos)
      << verdict.reason;
}

TEST(DepthFirst, IsNotBelievedWhenItVouchesForNothing) {
  EXPECT_EQ(checked(kGraph, {.vouches = false}).verdict.outcome, Outcome::error);
}

TEST(DepthFirst, IsNotBelievedWhenAnObligationOfItsOwnIsNotMet) {
  const Verdict verdict = checked(kGraph, {.lies = true}).verdict;
  EXPECT_EQ(verdict.outcome, Outcome::error);
  EXPECT_NE(verdict.reason.find("something is wrong"), std::string::npos) << verdict.reason;
}

TEST(Findings, MergedOnesAreThoseOfOneSearch) {
  const Finding deep{PropertyKind::invariant, 0, 5, {1}, {}};
  const Finding shallow{PropertyKind::invariant, 0, 3, {9}, {}};
  const Finding smaller{PropertyKind::invariant, 0, 3, {8}, {}};
  const Finding other{PropertyKind::deadlock, 0, 7, {2}, {}};
  Findings mine;
  mine.add(shallow);
  Findings theirs;
  theirs.add(other);
  theirs.add(deep);
  theirs.add(smaller);
  mine.merge(theirs);
  ASSERT_EQ(mine.all().size(), 2U);
  EXPECT_EQ(mine.all()[0].depth, 3U);
  EXPECT_EQ(mine.all()[0].row, (std::vector<Word>{8}));
  EXPECT_EQ(mine.all()[1].kind, PropertyKind::deadlock);
}

// Whoever started a check can cancel it, without a signal to the process.
TEST(Lookout, ObeysATokenOfItsOwn) {
  StopToken token;
  token.note(StopReason::interrupted);
  CheckOptions options;
  options.session.stop = &token;
  options.memory_bytes = 1 << 20;
  const GraphModel graph("graph", kGraph);
  EXPECT_EQ(check_in_memory(graph, kPlain, options).verdict.exit, Exit::interrupted);
  EXPECT_FALSE(stop_request::made());
  options.session.stop = &stop_request::token;
  EXPECT_EQ(check_in_memory(graph, kPlain, options).verdict.outcome, Outcome::verified);
}

}  // namespace
}  // namespace spillway
