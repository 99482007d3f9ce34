// Boolean expressions, as labels and acceptance conditions of automata in files have them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Nodes of one or several expressions over at most 64 variables.
class Expressions {
 public:
  using Id = std::uint32_t;

  Id constant(bool value) { return add({value ? Kind::yes : Kind::no, 0, 0}); }
  Id variable(std::uint32_t index) { return add({Kind::variable, index, 0}); }
  Id negation(Id a) { return add({Kind::negation, a, 0}); }
  Id all(Id a, Id b) { return add({Kind::all, a, b}); }
  Id any(Id a, Id b) { return add({Kind::any, a, b}); }

  // The expression, or its negation, as a disjunction of labels.  std::nullopt if there are more
  // than `most` of them on the way.
  std::optional<std::vector<Label>> cases(Id id, bool negated, std::size_t most) const;

  // Of the longest chain of operators.
  std::uint32_t depth(Id id) const { return nodes_[id].depth; }

 private:
  enum class Kind : std::uint8_t { no, yes, variable, negation, all, any };
  struct Node {
    Kind kind;
    std::uint32_t a, b;
    std::uint32_t depth = 1;
  };

  Id add(Node node);

  std::vector<Node> nodes_;
};

}  // namespace spillway::ltl
