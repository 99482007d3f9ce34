#include "random_ltl.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace spillway::ltl {
namespace {

unsigned below(std::mt19937_64& random, unsigned limit) {
  return static_cast<unsigned>(random() % limit);
}

// A graph with marks on its edges, whose nodes are found from those where runs begin.
template <class Node>
class Graph {
 public:
  // steps(node, visit) calls visit(node, marks) for each edge.
  template <class Steps>
  Graph(const std::vector<Node>& initial, Steps steps) {
    for (const Node& node : initial) number(node);
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      std::vector<std::pair<std::size_t, SetMask>> out;
      steps(Node(nodes_[at]),
            [&](const Node& next, SetMask marks) { out.emplace_back(number(next), marks); });
      edges_.push_back(std::move(out));
    }
    alive_.assign(nodes_.size(), true);
  }

  // Some run meets each set for ever.
  bool has_accepting_run(unsigned sets) {
    for (std::size_t before = SIZE_MAX; before != count();) {
      before = count();
      keep([](SetMask) { return true; });
      for (unsigned set = 0; set < sets; ++set)
        keep([&](SetMask marks) { return ((marks >> set) & 1) != 0; });
    }
    return count() != 0;
  }

 private:
  std::size_t number(const Node& node) {
    const auto [entry, is_new] = numbers_.emplace(node, nodes_.size());
    if (is_new) nodes_.push_back(node);
    return entry->second;
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::count(alive_.begin(), alive_.end(), true));
  }

  // Keeps nodes from which an edge that is `wanted` can be reached without leaving what is kept.
  template <class Wanted>
  void keep(Wanted wanted) {
    std::vector<bool> kept(alive_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t node = alive_.size(); node-- > 0;) {
        if (!alive_[node] || kept[node]) continue;
        for (const auto& [next, marks] : edges_[node])
          if (alive_[next] && (wanted(marks) || kept[next])) {
            kept[node] = changed = true;
            break;
          }
      }
    }
    alive_ = std::move(kept);
  }

  std::map<Node, std::size_t> numbers_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::pair<std::size_t, SetMask>>> edges_;
  std::vector<bool> alive_;
};

}  // namespace

std::vector<std::string> random_names() { return {"a", "b", "c"}; }

Formula random_formula(std::mt19937_64& random, unsigned operators) {
  if (operators == 0) {
    const unsigned choice = below(random, 20);
    if (choice < 2) return Formula::constant(choice == 0);
    return Formula::atom(choice % kRandomPropositions);
  }
  constexpr std::array kOperators = {
      Operator::negation,      Operator::conjunction,  Operator::disjunction, Operator::implication,
      Operator::equivalence,   Operator::exclusive_or, Operator::next,        Operator::finally,
      Operator::globally,      Operator::until,        Operator::release,     Operator::weak_until,
      Operator::strong_release};
  const Operator op = kOperators[below(random, kOperators.size())];
  if (operands(op) == 1) return Formula::unary(op, random_formula(random, operators - 1));
  const unsigned left = below(random, operators);
  const Formula first = random_formula(random, left);
  return Formula::binary(op, first, random_formula(random, operators - 1 - left));
}

Word random_word(std::mt19937_64& random) {
  Word word;
  const unsigned loop = 1 + below(random, 4);
  word.loop_start = below(random, 4);
  // Few changes are more interesting than many.
  Letter letter = below(random, 1U << kRandomPropositions);
  for (std::size_t i = 0; i < word.loop_start + loop; ++i) {
    if (below(random, 3) != 0) letter = below(random, 1U << kRandomPropositions);
    word.letters.push_back(letter);
  }
  return word;
}

std::string text(const Word& word) {
  std::string result;
  for (std::size_t i = 0; i < word.letters.size(); ++i) {
    if (i == word.loop_start) result += "(";
    for (unsigned bit = 0; bit < kRandomPropositions; ++bit)
      if (((word.letters[i] >> bit) & 1) != 0) result += random_names()[bit];
    result += i + 1 < word.letters.size() ? ";" : ")";
  }
  return result;
}

bool accepts(const Automaton& automaton, const Word& word) {
  using Node = std::pair<std::uint32_t, std::size_t>;  // a state and a position
  std::vector<Node> initial;
  for (const std::uint32_t state : automaton.initial) initial.emplace_back(state, 0);
  Graph<Node> product(initial, [&](const Node& node, auto visit) {
    const std::size_t after = node.second + 1;
    for (const Transition& transition : automaton.transitions[node.first])
      if (transition.label.admits(word.letters[node.second]))
        visit({transition.target, after < word.letters.size() ? after : word.loop_start},
              transition.marks);
  });
  return product.has_accepting_run(automaton.sets);
}

bool have_a_word_in_common(const Automaton& a, const Automaton& b) {
  using Node = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Node> initial;
  for (const std::uint32_t first : a.initial)
    for (const std::uint32_t second : b.initial) initial.emplace_back(first, second);
  Graph<Node> product(initial, [&](const Node& node, auto visit) {
    for (const Transition& x : a.transitions[node.first])
      for (const Transition& y : b.transitions[node.second])
        if (((x.label.positive | y.label.positive) & (x.label.negative | y.label.negative)) == 0)
          visit({x.target, y.target}, x.marks | (y.marks << a.sets));
  });
  return product.has_accepting_run(a.sets + b.sets);
}

}  // namespace spillway::ltl
