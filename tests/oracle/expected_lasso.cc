#include "oracle/expected_lasso.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <deque>
#include <map>
#include <set>

#include "oracle/random_graph.h"
#include "oracle/reference.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

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
      model.steps().successors(row, out);
      std::map<std::size_t, SetMask>& to = targets.emplace_back();
      const SetMask of_state = model.acceptance().accepting(row) ? 1 : 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        const State next = out.states()[i];
        to[numbers.at({next.begin(), next.end()})] |=
            model.acceptance().marks_steps() ? out.mark(i) : of_state;
      }
    }
    all_sets = (SetMask{1} << model.acceptance().sets()) - 1;
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

}  // namespace

std::optional<ExpectedLasso> expected_lasso(const Model& model) {
  const Ordered all(model);
  for (const std::size_t count : all.ends)
    for (std::size_t from = 0; from < count; ++from) {
      const std::vector<std::size_t> loop = loop_from(all, from, count);
      if (loop.empty()) continue;
      ExpectedLasso lasso;
      while (all.ends[lasso.stem] <= from) ++lasso.stem;
      for (const std::size_t state : loop) lasso.loop.push_back(all.rows[state]);
      return lasso;
    }
  return std::nullopt;
}

std::string difference(const CheckResult& result, const std::optional<ExpectedLasso>& expected) {
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

std::string difference_in_verdict(const CheckResult& result,
                                  const std::optional<ExpectedLasso>& expected) {
  if (!expected) return difference(result, expected);
  return result.verdict.exit == Exit::reachable && result.traces.size() == 1
             ? ""
             : "it was not found: " + result.verdict.reason;
}

namespace {

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
  std::map<Vertex, std::set<Vertex>> reached;
  for (const auto& [from, to] : graph.edges) reached[from].insert(to);
  for (auto& [from, all] : reached) {
    std::deque<Vertex> queue(all.begin(), all.end());
    for (; !queue.empty(); queue.pop_front())
      for (const auto& [a, b] : graph.edges)
        if (a == queue.front() && all.insert(b).second) queue.push_back(b);
  }
  for (const auto& [node, all] : reached) {
    graph.parts[node] = all.contains(node) ? node + 1 : Acceptance::kNoPart;
    for (const Vertex other : all)
      if (reached.contains(other) && reached.at(other).contains(node) && other < node) {
        graph.parts[node] = other + 1;
        break;
      }
  }
}

}  // namespace

GraphSpec arbitrary_graph_with_acceptance() {
  GraphSpec graph = arbitrary_graph(false);
  graph.bad.clear();
  graph.failing.clear();
  graph.deadlock = Deadlock::off;
  const unsigned one_in = *one_of<unsigned>({2, 20, 100});
  for (const auto& [from, to] : graph.edges)
    if (*rc::gen::inRange(0U, one_in) == 0) graph.accepting.push_back(from);
  if (graph.accepting.empty()) graph.accepting = graph.initial;
  if (*rc::gen::inRange(0, 2) == 0) mark_steps(graph, one_in);
  if (*rc::gen::inRange(0, 2) == 0) divide(graph);
  return graph;
}

}  // namespace spillway
