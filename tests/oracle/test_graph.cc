#include "oracle/test_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace spillway {

std::vector<Word> encode(Vertex node, std::size_t words, unsigned coding) {
  std::vector<Word> row(words, 0);
  switch (coding) {
    case 0: row.back() = node; break;  // row 0 is all zeros
    case 1: row.front() = node; break;
    case 2: row.assign(words, ~Word{node}); break;            // row 0 is all ones
    case 3: row[node % words] = Word{1} << 63 | node; break;  // one word set, which one differs
    default:
      row.front() = Word{node} << 32;
      row.back() += Word{node} * 0x9e3779b97f4a7c15u;
      break;
  }
  return row;
}

std::string GraphSpec::text() const {
  std::string text = fmt::format("# rows of {} words, coding {}\n", words, coding);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "deadlock {}\n",
                 deadlock == Deadlock::off     ? "off"
                 : deadlock == Deadlock::stuck ? "stuck"
                                               : "stuttering");
  for (const Vertex n : initial) fmt::format_to(out, "initial {}\n", n);
  for (const auto& [n, property] : bad)
    fmt::format_to(out, "bad {}: {}\n", property == 0 ? "first" : "second", n);
  for (const Vertex n : failing) fmt::format_to(out, "error {} : \"fails\"\n", n);
  for (const Vertex n : accepting) fmt::format_to(out, "accepting {}\n", n);
  for (const auto& [node, part] : parts) fmt::format_to(out, "# {} is in part {}\n", node, part);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    fmt::format_to(out, "{} -> {}", edges[i].first, edges[i].second);
    if (sets != 0) fmt::format_to(out, "  # in the sets {:#b} of {}", marks[i], sets);
    text += '\n';
  }
  return text;
}

TestGraph::TestGraph(GraphSpec spec) : WholeModel("test graph"), spec_(std::move(spec)) {
  composition_.properties = {{"first", PropertyKind::invariant},
                             {"second", PropertyKind::invariant}};
  composition_.deadlock = spec_.deadlock;
  std::set<Vertex> all(spec_.initial.begin(), spec_.initial.end());
  for (std::size_t i = 0; i < spec_.edges.size(); ++i) {
    const auto& [from, to] = spec_.edges[i];
    facts_[from].targets.push_back(to);
    facts_[from].marks.push_back(spec_.sets != 0 ? spec_.marks[i] : 0);
    all.insert({from, to});
  }
  for (const auto& [n, property] : spec_.bad) {
    facts_[n].bad.push_back(property);
    all.insert(n);
  }
  for (const Vertex n : spec_.failing) {
    facts_[n].fails = true;
    all.insert(n);
  }
  for (const Vertex n : spec_.accepting) {
    facts_[n].accepting = true;
    all.insert(n);
  }
  for (const Vertex n : all) {
    std::vector<PropertyIndex>& bad = facts_[n].bad;
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    rows_[n] = encode(n, spec_.words, spec_.coding);
    nodes_[rows_[n]] = n;
  }
}

void TestGraph::write(const std::vector<Vertex>& nodes, Successors& out) const {
  if (nodes.size() > out.room()) out.make_room(nodes.size());
  Word* place = out.rows();
  for (const Vertex n : nodes) place = std::copy(rows_.at(n).begin(), rows_.at(n).end(), place);
  if (out.rules() != nullptr) std::fill_n(out.rules(), nodes.size(), 0);
}

void TestGraph::initial(Successors& out) const {
  write(spec_.initial, out);
  out.add(spec_.initial.size());
}

void TestGraph::successors(State state, Successors& out) const {
  const Facts& facts = facts_.at(node(state));
  write(facts.targets, out);
  if (out.marks() != nullptr) std::ranges::copy(facts.marks, out.marks());
  facts.fails ? out.add(facts.targets.size(), Failure{0, {}, "fails"})
              : out.add(facts.targets.size());
}

std::size_t TestGraph::check(State state, PropertyIndex* violated, Observed* /*observed*/) const {
  const std::vector<PropertyIndex>& bad = facts_.at(node(state)).bad;
  std::copy(bad.begin(), bad.end(), violated);
  return bad.size();
}

std::vector<Variable> TestGraph::variables(State state) const {
  return {{"node", std::to_string(node(state))}};
}

}  // namespace spillway
