// Graphs of a few states as models, with rows made to be hard on tables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace spillway {

using Vertex = std::uint32_t;

struct GraphSpec {
  std::vector<std::pair<Vertex, Vertex>> edges;
  std::vector<Vertex> initial;
  std::vector<std::pair<Vertex, PropertyIndex>> bad;  // invariants 0 and 1
  std::vector<Vertex> failing;                        // expansion ends with a run-time error
  std::vector<Vertex> accepting;                      // without any, nothing is said about runs
  // If there are any, steps are marked instead: those of each edge, or none.
  unsigned sets = 0;
  std::vector<SetMask> marks;
  std::map<Vertex, std::uint32_t> parts;  // of acceptance; 0 for nodes that are not listed
  Deadlock deadlock = Deadlock::off;
  std::size_t words = 1;
  unsigned coding = 0;  // how a node becomes a row

  std::string text() const;  // as a .graph file, to try by hand
};

class TestGraph final : public WholeModel {
 public:
  explicit TestGraph(GraphSpec spec);

  std::size_t words() const override { return spec_.words; }
  std::size_t row_bits() const override { return spec_.words * 64; }
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* violated, Observed*) const override;
  std::optional<std::string> property() const override {
    return spec_.accepting.empty() && spec_.sets == 0 ? std::nullopt
                                                      : std::optional<std::string>("acceptance");
  }
  bool marks_steps() const override { return spec_.sets != 0; }
  unsigned sets() const override { return spec_.sets != 0 ? spec_.sets : 1; }
  std::uint32_t part(State state) const override {
    const auto part = spec_.parts.find(node(state));
    return part == spec_.parts.end() ? 0 : part->second;
  }
  bool accepting(State state) const override { return facts_.at(node(state)).accepting; }
  std::string rule_name(RuleIndex) const override { return "step"; }
  std::vector<Variable> variables(State state) const override;

 private:
  struct Facts {
    std::vector<Vertex> targets;
    std::vector<SetMask> marks;  // of each target
    std::vector<PropertyIndex> bad;
    bool fails = false;
    bool accepting = false;
  };
  void write(const std::vector<Vertex>& nodes, Successors& out) const;
  Vertex node(State state) const { return nodes_.at({state.begin(), state.end()}); }

  GraphSpec spec_;
  std::map<Vertex, std::vector<Word>> rows_;
  std::map<std::vector<Word>, Vertex> nodes_;
  std::map<Vertex, Facts> facts_;
};

// The row of a node: all codings are injective, some leave most words equal.
std::vector<Word> encode(Vertex node, std::size_t words, unsigned coding);
inline constexpr unsigned kCodings = 5;

}  // namespace spillway
