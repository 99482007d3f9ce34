// Searches that store short rows against the reference on random graphs: from the first state on, cut
// after a handful of states, with buffers of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "oracle/small_searches.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

struct Case {
  GraphSpec graph;
  SortedRunsSettings runs;
  std::uint64_t leave_states = 1;
  ShortRowsSettings short_rows = ShortRowsSettings::for_all();
  std::size_t algorithm = 0;
  unsigned threads = 1;
};

// Rows that had to wait, in all cases.
std::uint64_t late_rows = 0;

class Counted final : public Search {
 public:
  Counted(const SearchContext& context, std::unique_ptr<Search> search)
      : Search(context), search_(std::move(search)) {}
  void search() override {
    const std::uint64_t before = expanders.short_rows() ? expanders.short_rows()->values() : 0;
    try {
      search_->search();
    } catch (const Finished&) {
      count(before);
      throw;
    }
    count(before);
  }
  std::uint64_t stored() const override { return search_->stored(); }
  std::vector<Obligation> obligations() const override { return search_->obligations(); }
  Statistics statistics() const override { return search_->statistics(); }
  Statistics own_statistics() const override { return search_->own_statistics(); }
  LevelReader* level_reader() override { return search_->level_reader(); }
  bool each_visited(const std::function<void(State)>& visit) override {
    return search_->each_visited(visit);
  }
  void free_visited() override { search_->free_visited(); }
  void complete_level() override { search_->complete_level(); }

 private:
  void count(std::uint64_t before) {
    if (expanders.short_rows()) late_rows += expanders.short_rows()->values() - before;
  }
  const std::unique_ptr<Search> search_;
};

template <const Algorithm& algorithm>
std::unique_ptr<Search> counted(const SearchContext& context) {
  return std::make_unique<Counted>(context, algorithm.states(context));
}
const Algorithm kAlgorithms[] = {
    {.name = "ram", .summary = "", .states = counted<kSmallRam>, .wide_words = 1},
    {.name = "sorted-runs", .summary = "", .states = counted<kSmallRuns>, .wide_words = 1},
    {.name = "auto", .summary = "", .states = counted<kSmallAuto>, .wide_words = 1}};

std::string failure_of(const Case& c) {
  small_searches.runs = c.runs;
  small_searches.leave_states = c.leave_states;
  CheckOptions options;
  options.session.threads = c.threads;
  options.session.deadlock = c.graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.verify = true;
  options.short_rows = c.short_rows;
  const TestGraph model(c.graph);
  return difference(model, c.graph.deadlock,
                    check_in_memory(model, kAlgorithms[c.algorithm], options),
                    reference(model, c.graph.deadlock));
}

Case arbitrary_case(bool deep) {
  Case c;
  c.graph = arbitrary_graph(deep);
  c.runs.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  c.runs.chunk_bytes = *one_of<std::size_t>({1, 30, 100, 4096});
  c.runs.cache_rows = *one_of<std::size_t>({2, 3, 50});
  c.runs.candidate_rows = *one_of<std::size_t>({1, 2, 3, 10, 1000});
  c.runs.merge_rows = *one_of<std::size_t>({1, 7, 100});
  c.runs.reserve_bytes = *one_of<std::size_t>({1, std::size_t{1} << 40});
  c.runs.fan_in = *rc::gen::inRange<std::size_t>(2, 5);
  c.runs.squeeze_states = *one_of<std::size_t>({1, 2, 5, 20, 1000});
  c.runs.marked_rows = *one_of<std::size_t>({1, 2, 5, 1000});
  c.leave_states = *rc::gen::inRange<std::uint64_t>(1, 30);
  c.short_rows.most_states = *rc::gen::inRange<std::uint64_t>(1, 11);
  c.short_rows.cut.rare = *one_of<std::size_t>({1, 2, 4, 512});
  c.short_rows.parts.hash_bits = *one_of<unsigned>({1, 4, 32});
  c.short_rows.parts.check_one_in = *one_of<std::uint64_t>({1, 7});
  c.algorithm = *rc::gen::inRange<std::size_t>(0, 3);
  c.threads = *rc::gen::inRange(1U, 9U);
  return c;
}

// A state in which an invariant of the graph is violated is to be reachable from everywhere.
class WithGoal final : public Conditions, public Model {
 public:
  explicit WithGoal(const Model& model)
      : Model(model.composition()), invariants_(model.conditions()) {
    composition_.conditions = this;
    composition_.properties = {{"goal", PropertyKind::reachable}};
  }
  std::size_t check(State state, PropertyIndex* noted, Observed* observed) const override {
    PropertyIndex violated[2];
    noted[0] = 0;
    return invariants_.check(state, violated, observed) != 0 ? 1 : 0;
  }

 private:
  const Conditions& invariants_;
};

std::string text_of(const CheckResult& result) {
  std::string text = result.verdict.reason;
  for (const Trace& trace : result.traces)
    for (const Step& step : trace.steps) text += fmt::format(" [{}]", fmt::join(step.row, " "));
  return text;
}

// Violations that all states decide are those of whole rows, with the same counterexample.
bool liveness_is_the_same() {
  std::uint64_t held = 0, violated = 0;
  const bool same = rc::check("goals", [&] {
    Case c = arbitrary_case(false);
    c.graph.failing.clear();
    c.graph.accepting.clear();
    c.graph.sets = 0;
    const TestGraph graph(c.graph);
    const WithGoal model(graph);
    small_searches.runs = c.runs;
    small_searches.leave_states = c.leave_states;
    CheckOptions options;
    options.session.threads = c.threads;
    options.memory_bytes = std::uint64_t{64} << 20;
    options.short_rows.reset();
    const CheckResult whole = check_in_memory(model, kAlgorithms[c.algorithm], options);
    options.short_rows = c.short_rows;
    const CheckResult in_parts = check_in_memory(model, kAlgorithms[c.algorithm], options);
    RC_ASSERT(whole.verdict.outcome != Outcome::error);
    RC_ASSERT(word(in_parts.verdict.outcome) == word(whole.verdict.outcome));
    RC_ASSERT(text_of(in_parts) == text_of(whole));
    ++(whole.traces.empty() ? held : violated);
  });
  return same && held > 2 && violated > 2;
}

bool holds(bool deep) {
  return rc::check(deep ? "deep graphs" : "graphs", [deep] {
    const Case c = arbitrary_case(deep);
    const std::string why = failure_of(c);
    if (why.empty()) return;
    std::cerr << c.graph.text()
              << fmt::format("# {}, {} threads, memory is left at {}, a sample of {}\n",
                             kAlgorithms[c.algorithm].name, c.threads, c.leave_states,
                             c.short_rows.most_states);
    RC_FAIL(why);
  });
}

TEST(Parts, RandomGraphs) {
  late_rows = 0;
  EXPECT_TRUE(holds(false));
  EXPECT_GT(late_rows, 10U) << "all values were known before the search";
}
TEST(Parts, Liveness) { EXPECT_TRUE(liveness_is_the_same()); }
TEST(Parts, DeepGraphs) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
