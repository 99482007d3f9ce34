// A product that outgrows memory goes on where it was: no state is searched twice, and what comes
// of it is what came in memory.
//
// How many: SPILLWAY_CASES=1000.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <random>

#include "base/memory/claim.h"
#include "cases.h"
#include "check/check.h"
#include "model/model.h"
#include "oracle/layered_graph.h"
#include "oracle/small_searches.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

// Knows how often each state was searched: edges are made again, but without looking at properties.
class CountingModel final : public Conditions, public Model {
 public:
  explicit CountingModel(const Model& model)
      : Model(model.composition()), counted_(model.conditions()) {
    composition_.conditions = this;
  }
  std::size_t check(State state, PropertyIndex* noted, Observed* observed) const override {
    if (observed != nullptr) {
      const std::lock_guard lock(mutex_);
      ++searched_[{state.begin(), state.end()}];
    }
    return counted_.check(state, noted, observed);
  }

  std::uint64_t states() const { return searched_.size(); }
  std::uint64_t most() const {
    std::uint64_t most = 0;
    for (const auto& [row, times] : searched_) most = std::max(most, times);
    return most;
  }

 private:
  const Conditions& counted_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<Word>, std::uint64_t> searched_;
};

// Without an accepting cycle, so that all states are searched: the accepting state is an end.
GraphSpec product_that_holds(Random& random) {
  GraphSpec graph = layered_graph(random);
  graph.sets = 0;
  graph.marks.clear();
  graph.bad.clear();
  graph.failing.clear();
  Vertex last = 0;
  for (const auto& [from, to] : graph.edges) last = std::max({last, from, to});
  graph.edges.emplace_back(graph.initial.front(), last + 1);
  graph.accepting = {last + 1};
  graph.words = 1 + random() % 4;
  graph.coding = static_cast<unsigned>(random() % kCodings);
  return graph;
}

void choose_sizes(Random& random, std::size_t edges) {
  small_searches = {};
  RamCyclesSettings& levels = small_searches.levels;
  levels.first_check = 1 + random() % 100;
  levels.block_nodes = 1 + random() % 9;
  levels.ram = small_ram();
  levels.ram.squeeze_rows = 1 + random() % 50;
  levels.ram.in_flight = random() % 5;
  small_searches.spilled.first_check = 1 + random() % 200;
  SortedRunsSettings& runs = small_searches.runs;
  runs.block_rows = 1 + random() % 6;
  runs.chunk_bytes = 1 + random() % 100;
  runs.candidate_rows = 1 + random() % 30;
  runs.merge_rows = 1 + random() % 30;
  runs.squeeze_states = 1 + random() % 60;
  small_searches.leave_states = 1 + random() % edges;
}

std::string counts(const CheckResult& result) {
  std::string text =
      fmt::format("{}, digest {}", result.verdict.reason, result.statistics.digest.hex());
  for (const Level& level : result.statistics.levels)
    text += fmt::format(" / {} {} {}", level.states, level.transitions, level.digest.hex());
  return text;
}

// Keeps memory from the search until that has left it.
class Held final : public Search {
 public:
  explicit Held(const SearchContext& context)
      : Search(context), inner_(kSmallAutoCycles.make(context)), claim_(context.budget, bytes) {
    newest = this;
  }
  static inline thread_local Held* newest = nullptr;
  static inline thread_local std::uint64_t bytes = 0;
  void let_go() { claim_ = Claim(); }

  void search() override { inner_->search(); }
  std::uint64_t stored() const override { return inner_->stored(); }
  std::vector<Obligation> obligations() const override { return inner_->obligations(); }
  Statistics statistics() const override { return inner_->statistics(); }
  LevelReader* level_reader() override { return inner_->level_reader(); }
  bool decides_acceptance() const override { return inner_->decides_acceptance(); }

 private:
  std::unique_ptr<Search> inner_;
  Claim claim_;
};
const Algorithm kHeld{"auto", "", [](const SearchContext& context) -> std::unique_ptr<Search> {
                        return std::make_unique<Held>(context);
                      }};

struct Checked {
  CheckResult result;
  bool was_left = false;  // memory, for sorted runs
  std::uint64_t states_at_switch = 0;
};

Checked checked(const Model& model, const Algorithm& algorithm, unsigned threads,
                std::uint64_t memory_bytes = std::uint64_t{64} << 20) {
  Checked checked;
  CheckOptions options;
  options.session.threads = threads;
  options.memory_bytes = memory_bytes;
  options.session.announcer = [&](const std::string& sentence) {
    if (sentence.find("continuing with sorted runs") == std::string::npos) return;
    checked.was_left = true;
    checked.states_at_switch = std::stoull(sentence.substr(sentence.find(" at ") + 4));
    if (&algorithm == &kHeld) Held::newest->let_go();
  };
  checked.result = check_in_memory(model, algorithm, options);
  return checked;
}

TEST(OutgrownProducts, AreSearchedOnce) {
  Random random(1);
  std::uint64_t left = 0;
  const std::uint64_t wanted = cases(60);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE(i);
    const TestGraph graph(product_that_holds(random));
    const std::string expected = counts(checked(graph, kSmallRam, 1).result);
    const CountingModel model(graph);
    choose_sizes(random, 400);
    const Checked once = checked(model, kSmallAutoCycles, 1 + static_cast<unsigned>(random() % 4));
    ASSERT_EQ(counts(once.result), expected);
    ASSERT_EQ(once.result.verdict.outcome, Outcome::verified);
    ASSERT_EQ(model.states(), once.result.statistics.states);
    ASSERT_EQ(model.most(), 1U) << "left memory: " << once.was_left;
    left += once.was_left ? 1 : 0;
  }
  std::cout << left << " of " << wanted << " products have left memory\n";
  EXPECT_GT(left, wanted / 4);
}

// Whatever wants the memory that is not there: rows, the table, nodes, edges or passes.
TEST(OutgrownProducts, AreSearchedOnceWhereverMemoryIsFull) {
  constexpr std::uint64_t kMemory = std::uint64_t{4} << 20;
  Random random(2);
  std::map<std::uint64_t, std::uint64_t> left;  // how often at which states
  const std::uint64_t wanted = cases(60);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE(i);
    const TestGraph graph(product_that_holds(random));
    const std::string expected = counts(checked(graph, kSmallRam, 1).result);
    const CountingModel model(graph);
    choose_sizes(random, 1);
    small_searches.leave_states = UINT64_MAX;
    Held::bytes = kMemory - (std::uint64_t{224} << 10) - random() % (std::uint64_t{192} << 10);
    const Checked once = checked(model, kHeld, 1 + static_cast<unsigned>(random() % 3), kMemory);
    ASSERT_EQ(counts(once.result), expected) << once.result.no_room;
    ASSERT_EQ(model.most(), 1U) << "left memory: " << once.was_left;
    if (once.was_left) ++left[once.states_at_switch * 10 / model.states()];
  }
  for (const auto& [tenth, times] : left)
    std::cout << times << " have left memory with " << tenth << " tenths of their states\n";
  EXPECT_GT(left.size(), wanted / 60);
}

}  // namespace
}  // namespace spillway
