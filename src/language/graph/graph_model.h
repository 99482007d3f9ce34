// An explicit graph, listed state by state: for tests, and for trying an algorithm on a graph that
// fits on paper. docs/manual/graph-format.md describes the format.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text/proposition_text.h"
#include "model/model.h"

namespace spillway {

class GraphModel final : public WholeModel {
 public:
  // Reads `text`; `name` stands for it in messages.  Throws Error(model) with line and column.
  GraphModel(std::string name, std::string_view text);
  static std::unique_ptr<GraphModel> from_file(const std::string& path);

  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override;
  std::string why_not_a_state(State row) const override;
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* violated, Observed*) const override;
  bool accepting(State state) const override { return node(state).accepting; }
  std::optional<std::string> property() const override;
  std::size_t propositions() const override { return chosen_.size(); }
  Letter evaluate(State state, std::optional<Failure>& failure) const override;
  // The propositions of formulas are names of those in the text.  Throws DiagnosedError if there is
  // no such name.
  void choose(const std::vector<PropositionText>& propositions);
  RuleIndex rules() const override { return static_cast<RuleIndex>(rules_.size()); }
  std::string rule_name(RuleIndex rule) const override {
    return rule == kNoRule ? "start" : rules_.at(rule);
  }
  std::vector<Variable> variables(State state) const override;

 private:
  friend class GraphReader;

  struct Edge {
    std::uint32_t target;
    RuleIndex rule;
  };
  struct Node {
    std::string name;
    std::vector<Edge> edges;
    std::vector<PropertyIndex> bad;  // increasing
    std::optional<Failure> failure;  // when the node is expanded
    bool accepting = false;
    Letter letter = 0;  // of all propositions in the text
  };

  const Node& node(State state) const { return nodes_[state[0]]; }
  void write(const std::vector<Edge>& edges, Successors& out) const;

  std::vector<Node> nodes_;
  std::vector<Edge> initial_;
  std::vector<std::string> rules_;
  std::vector<std::string> propositions_;
  std::vector<unsigned> chosen_;  // of them
};

}  // namespace spillway
