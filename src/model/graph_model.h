// An explicit graph, listed state by state: for tests, and for trying an algorithm on a graph that
// fits on paper. docs/manual/graph-format.md describes the format.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text/proposition_text.h"
#include "model/model.h"

namespace spillway {

class GraphModel final : public Model {
 public:
  // Reads `text`; `name` stands for it in messages.  Throws Error(model) with line and column.
  GraphModel(std::string name, std::string_view text);
  static GraphModel from_file(const std::string& path);

  const std::string& name() const override { return name_; }
  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override;
  std::string why_not_a_state(State row) const override;
  const std::vector<Property>& properties() const override { return properties_; }
  Deadlock deadlock() const override { return deadlock_; }
  void initial(Successors& out) const override;
  void successors(State state, Successors& out) const override;
  std::size_t check(State state, PropertyIndex* violated) const override;
  bool may_leave_out() const override { return false; }
  bool accepting(State state) const override { return node(state).accepting; }
  std::optional<std::string> acceptance() const override;
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

  std::string name_;
  std::vector<Node> nodes_;
  std::vector<Edge> initial_;
  std::vector<Property> properties_;
  std::vector<std::string> rules_;
  std::vector<std::string> propositions_;
  std::vector<unsigned> chosen_;  // of them
  Deadlock deadlock_ = Deadlock::off;
};

}  // namespace spillway
