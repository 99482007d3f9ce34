#include "random_ltl.h"

#include <algorithm>
#include <array>

namespace spillway::ltl {
namespace {

unsigned below(std::mt19937_64& random, unsigned limit) {
  return static_cast<unsigned>(random() % limit);
}

// The product of an automaton and a word: a node is a state and a position.
class Product {
 public:
  Product(const Automaton& automaton, const Word& word) : automaton_(automaton), word_(word) {
    alive_.assign(automaton.states() * word.letters.size(), false);
    std::vector<std::size_t> open;
    const auto reach = [&](std::size_t node) {
      if (!alive_[node]) open.push_back(node);
      alive_[node] = true;
    };
    for (const std::uint32_t state : automaton.initial) reach(node_of(state, 0));
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      for_each_step(node, [&](std::size_t next, SetMask) { reach(next); });
    }
  }

  bool has_accepting_run() {
    for (std::size_t before = SIZE_MAX; before != count();) {
      before = count();
      keep([](SetMask) { return true; });
      for (unsigned set = 0; set < automaton_.sets; ++set)
        keep([&](SetMask marks) { return ((marks >> set) & 1) != 0; });
    }
    return count() != 0;
  }

 private:
  std::size_t node_of(std::uint32_t state, std::size_t position) const {
    return state * word_.letters.size() + position;
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::count(alive_.begin(), alive_.end(), true));
  }

  template <class Visit>
  void for_each_step(std::size_t node, Visit visit) const {
    const std::size_t position = node % word_.letters.size();
    const std::size_t next = position + 1 < word_.letters.size() ? position + 1 : word_.loop_start;
    for (const Transition& transition : automaton_.transitions[node / word_.letters.size()])
      if (transition.label.admits(word_.letters[position]))
        visit(node_of(transition.target, next), transition.marks);
  }

  // Keeps nodes from which a step that is `wanted` can be reached without leaving what is kept.
  template <class Wanted>
  void keep(Wanted wanted) {
    std::vector<bool> kept(alive_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t node = 0; node < alive_.size(); ++node) {
        if (!alive_[node] || kept[node]) continue;
        for_each_step(node, [&](std::size_t next, SetMask marks) {
          if (alive_[next] && (wanted(marks) || kept[next]) && !kept[node])
            kept[node] = changed = true;
        });
      }
    }
    alive_ = std::move(kept);
  }

  const Automaton& automaton_;
  const Word& word_;
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
  return Product(automaton, word).has_accepting_run();
}

}  // namespace spillway::ltl
