// Accepting cycles of random graphs, by every search that decides them, against a plain reference.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <deque>
#include <iostream>
#include <map>
#include <set>

#include "check/check.h"
#include "oracle/random_graph.h"
#include "oracle/reference.h"
#include "safety/automatic.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

thread_local SortedRunsSettings runs_in_use;
thread_local std::uint64_t leave_states = 1;

RamSettings small_ram() {
  RamSettings ram;
  ram.first_homes = 2;
  ram.chunk_bytes = 80;
  ram.unit_rows = 3;
  ram.alone_rows = 0;
  return ram;
}

const Algorithm kAlgorithms[] = {
    {"ram", "", [](const SearchContext& context) { return make_ram(context, small_ram()); }},
    {"sorted-runs", "",
     [](const SearchContext& context) -> std::unique_ptr<Search> {
       return make_sorted_runs(context, runs_in_use);
     }},
    {"auto", "",
     [](const SearchContext& context) {
       RamSettings ram = small_ram();
       ram.leave_states = leave_states;
       return make_automatic(context, ram, runs_in_use);
     }},
};

// A run that never leaves accepting states behind: states up to where it repeats, and the loop.
struct Lasso {
  std::uint64_t stem = 0;  // steps
  std::vector<Row> loop;   // from the state after the first one of the loop to that one
};

// All states in the order of levels and rows, and where they lead.
struct Ordered {
  explicit Ordered(const Model& model) {
    const Expected expected = reference(model, Deadlock::off);
    for (const RowSet& level : expected.states) {
      for (const Row& row : level) {
        numbers[row] = rows.size();
        rows.push_back(row);
      }
      ends.push_back(rows.size());
    }
    for (const Row& row : rows) {
      Successors out(model.words());
      out.want_marks(true);
      model.successors(row, out);
      std::map<std::size_t, SetMask>& to = targets.emplace_back();
      const SetMask of_state = model.accepting(row) ? 1 : 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        const State next = out.states()[i];
        to[numbers.at({next.begin(), next.end()})] |= model.marks_steps() ? out.mark(i) : of_state;
      }
    }
    all_sets = (SetMask{1} << model.acceptance_sets()) - 1;
  }
  std::map<Row, std::size_t> numbers;
  std::vector<Row> rows;
  std::vector<std::size_t> ends;
  std::vector<std::map<std::size_t, SetMask>> targets;  // and the sets of the steps there
  SetMask all_sets;
};

// Breadth-first from `from`, over (state, sets that were met), among the first `count`.
// The states after it up to `from` again, on a shortest such way; empty if there is none.
std::vector<std::size_t> loop_from(const Ordered& all, std::size_t from, std::size_t count) {
  using Place = std::pair<std::size_t, SetMask>;
  std::map<Place, Place> before;
  std::deque<Place> queue{{from, 0}};
  while (!queue.empty()) {
    const Place place = queue.front();
    queue.pop_front();
    for (const auto& [to, marks] : all.targets[place.first]) {
      const Place next{to, place.second | marks};
      if (to >= count || next == Place{from, 0} || !before.emplace(next, place).second) continue;
      if (next == Place{from, all.all_sets}) {
        std::vector<std::size_t> loop{from};
        for (Place at = place; at != Place{from, 0}; at = before.at(at))
          loop.insert(loop.begin(), at.first);
        return loop;
      }
      queue.push_back(next);
    }
  }
  return {};
}

std::optional<Lasso> expected_lasso(const Model& model) {
  const Ordered all(model);
  for (const std::size_t count : all.ends)
    for (std::size_t from = 0; from < count; ++from) {
      const std::vector<std::size_t> loop = loop_from(all, from, count);
      if (loop.empty()) continue;
      Lasso lasso;
      while (all.ends[lasso.stem] <= from) ++lasso.stem;
      for (const std::size_t state : loop) lasso.loop.push_back(all.rows[state]);
      return lasso;
    }
  return std::nullopt;
}

std::string difference(const CheckResult& result, const std::optional<Lasso>& expected) {
  if (!expected)
    return result.verdict.outcome == Outcome::verified ? ""
                                                       : "there is none: " + result.verdict.reason;
  if (result.verdict.exit != Exit::reachable || result.traces.size() != 1)
    return "it was not found: " + result.verdict.reason;
  const Trace& trace = result.traces[0];
  if (trace.finding.depth != expected->stem)
    return fmt::format("a stem of {} instead of {}", trace.finding.depth, expected->stem);
  if (trace.steps.size() != expected->stem + 1 + expected->loop.size())
    return fmt::format("{} steps instead of {} and {}", trace.steps.size(), expected->stem,
                       expected->loop.size());
  for (std::size_t i = 0; i < expected->loop.size(); ++i)
    if (trace.steps[expected->stem + 1 + i].row != expected->loop[i])
      return fmt::format("another state in step {} of the loop", i);
  return "";
}

struct Case {
  GraphSpec graph;
  std::size_t algorithm = 0;
  unsigned threads = 1;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.graph.text()
      << fmt::format("# threads {}, {}, leaves memory at {} states\n", c.threads,
                     kAlgorithms[c.algorithm].name, leave_states);
}

// Marks on steps instead of accepting states.
void mark_steps(GraphSpec& graph, unsigned one_in) {
  graph.accepting.clear();
  graph.sets = *rc::gen::inRange(1U, 5U);
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    SetMask mark = 0;
    for (unsigned set = 0; set < graph.sets; ++set)
      if (*rc::gen::inRange(0U, one_in) == 0) mark |= SetMask{1} << set;
    graph.marks.push_back(mark);
  }
}

// Parts that cycles do not leave: a node is in the part of the least node on a cycle with it.
void divide(GraphSpec& graph) {
  std::map<Node, std::set<Node>> reached;
  for (const auto& [from, to] : graph.edges) reached[from].insert(to);
  for (auto& [from, all] : reached) {
    std::deque<Node> queue(all.begin(), all.end());
    for (; !queue.empty(); queue.pop_front())
      for (const auto& [a, b] : graph.edges)
        if (a == queue.front() && all.insert(b).second) queue.push_back(b);
  }
  for (const auto& [node, all] : reached) {
    graph.parts[node] = all.contains(node) ? node + 1 : Model::kNoPart;
    for (const Node other : all)
      if (reached.contains(other) && reached.at(other).contains(node) && other < node) {
        graph.parts[node] = other + 1;
        break;
      }
  }
}

Case arbitrary_case() {
  Case c;
  c.graph = arbitrary_graph(false);
  c.graph.bad.clear();
  c.graph.failing.clear();
  c.graph.deadlock = Deadlock::off;
  const unsigned one_in = *one_of<unsigned>({2, 20, 100});
  for (const auto& [from, to] : c.graph.edges)
    if (*rc::gen::inRange(0U, one_in) == 0) c.graph.accepting.push_back(from);
  if (c.graph.accepting.empty()) c.graph.accepting = c.graph.initial;
  if (*rc::gen::inRange(0, 2) == 0) mark_steps(c.graph, one_in);
  if (*rc::gen::inRange(0, 2) == 0) divide(c.graph);
  c.algorithm = *rc::gen::inRange<std::size_t>(0, std::size(kAlgorithms));
  c.threads = *rc::gen::inRange(1U, 9U);
  leave_states = *rc::gen::inRange<std::uint64_t>(1, 40);
  runs_in_use = {};
  runs_in_use.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  runs_in_use.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  runs_in_use.chunk_bytes = *one_of<std::size_t>({1, 30, 100, 4096});
  runs_in_use.candidate_rows = *one_of<std::size_t>({1, 2, 3, 10, 1000});
  runs_in_use.merge_rows = *one_of<std::size_t>({1, 7, 100});
  runs_in_use.squeeze_states = *one_of<std::size_t>({1, 2, 5, 20, 1000});
  return c;
}

TEST(Acceptance, IsThatOfTheReferenceOnRandomGraphs) {
  std::uint64_t cycles = 0;
  std::uint64_t graphs = 0;
  EXPECT_TRUE(rc::check("acceptance", [&] {
    const Case c = arbitrary_case();
    const TestGraph model(c.graph);
    if (c.graph.initial.empty()) return;
    CheckOptions options;
    options.session.threads = c.threads;
    options.memory_bytes = std::uint64_t{64} << 20;
    const std::optional<Lasso> expected = expected_lasso(model);
    ++graphs;
    cycles += expected ? 1 : 0;
    const std::string why = difference(check(model, kAlgorithms[c.algorithm], options), expected);
    if (why.empty()) return;
    showValue(c, std::cerr);
    RC_FAIL(why);
  }));
  std::cout << graphs << " graphs, " << cycles << " with an accepting cycle\n";
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

}  // namespace
}  // namespace spillway
