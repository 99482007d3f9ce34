#include "ltl/automaton/tight.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "ltl/automaton/labels.h"
#include "ltl/automaton/reduce.h"
#include "ltl/automaton/simulation.h"

namespace spillway::ltl {
namespace {

constexpr std::size_t kMostTracked = 12;
constexpr std::size_t kMostTransitions = 400'000;

enum class Truth : std::uint8_t { no, yes, open };

Truth negated(Truth a) { return a == Truth::open ? a : a == Truth::yes ? Truth::no : Truth::yes; }
Truth both(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::open;
}
Truth either(Truth a, Truth b) { return negated(both(negated(a), negated(b))); }
Truth same(Truth a, Truth b) {
  if (a == Truth::open || b == Truth::open) return Truth::open;
  return a == b ? Truth::yes : Truth::no;
}

// U, F, M: what is postponed must come.  The others but X hold if nothing ever breaks them.
bool is_least(Operator op) {
  return op == Operator::until || op == Operator::finally || op == Operator::strong_release;
}

// Equal subformulas are one node; operands come first.
struct TightNode {
  Operator op;
  std::uint32_t proposition = 0;
  std::size_t left = 0, right = 0;
  bool occurs_positively = false, occurs_negatively = false;
  std::optional<unsigned> tracked = {};  // the number of the bit
};

class TightTranslation {
 public:
  explicit TightTranslation(const Formula& formula) : root_(add(formula)) {
    note_occurrences(root_, true);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Operator op = nodes_[i].op;
      if (op == Operator::next) track(nodes_[i].left);
      if (is_temporal(op) && op != Operator::next) track(i);
    }
    // Where words begin, the formula holds; a state must tell whether it does.
    if (!is_told_by_state(root_)) track(root_);
  }

  std::optional<Automaton> build() {
    if (tracked_.size() > kMostTracked) return std::nullopt;
    Automaton automaton;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (needs_set(nodes_[i])) with_set_.push_back(i);
    if (with_set_.size() > kMostSets) return std::nullopt;
    automaton.sets = static_cast<unsigned>(with_set_.size());
    automaton.transitions.resize(std::size_t{1} << tracked_.size());
    for (std::uint32_t next = 0; next < automaton.states(); ++next)
      if (!add_steps_to(next, {}, automaton)) return std::nullopt;
    for (std::uint32_t state = 0; state < automaton.states(); ++state)
      if (holds_in(root_, state)) automaton.initial.push_back(state);
    return automaton;
  }

 private:
  std::size_t add(const Formula& formula) {
    TightNode node{formula.op()};
    if (node.op == Operator::proposition) node.proposition = formula.proposition();
    if (operands(node.op) > 0) node.left = add(formula.left());
    if (operands(node.op) > 1) node.right = add(formula.right());
    const auto [known, is_new] = numbers_.emplace(
        std::tuple(node.op, node.proposition, node.left, node.right), nodes_.size());
    if (is_new) nodes_.push_back(node);
    return known->second;
  }

  void note_occurrences(std::size_t i, bool positive) {
    TightNode& node = nodes_[i];
    bool& noted = positive ? node.occurs_positively : node.occurs_negatively;
    if (noted) return;
    noted = true;
    const bool twice = node.op == Operator::equivalence || node.op == Operator::exclusive_or;
    const bool turns = node.op == Operator::negation || node.op == Operator::implication;
    const unsigned count = operands(node.op);
    const std::size_t left = node.left, right = node.right;
    if (count > 0) note_occurrences(left, positive != turns);
    if (count > 1) note_occurrences(right, positive);
    if (twice) {
      note_occurrences(left, !positive);
      note_occurrences(right, !positive);
    }
  }

  void track(std::size_t i) {
    if (nodes_[i].tracked) return;
    nodes_[i].tracked = static_cast<unsigned>(tracked_.size());
    tracked_.push_back(i);
  }

  // Without a set, U could be claimed for ever and never come, or G denied although nothing breaks
  // it.  That does no harm where the claim is of no use.
  static bool needs_set(const TightNode& node) {
    if (!is_temporal(node.op) || node.op == Operator::next) return false;
    return is_least(node.op) ? node.occurs_positively : node.occurs_negatively;
  }

  bool bit(std::size_t i, std::uint32_t state) const {
    return (state >> *nodes_[i].tracked & 1) != 0;
  }

  bool is_told_by_state(std::size_t i) const {
    const TightNode& node = nodes_[i];
    if (node.tracked || node.op <= Operator::constant_false) return true;
    if (node.op == Operator::proposition || is_temporal(node.op)) return false;
    return is_told_by_state(node.left) && (operands(node.op) < 2 || is_told_by_state(node.right));
  }

  // REQUIRES: the state tells.
  bool holds_in(std::size_t i, std::uint32_t state) const {
    const TightNode& node = nodes_[i];
    if (node.tracked) return bit(i, state);
    if (operands(node.op) == 0) return node.op == Operator::constant_true;
    const Truth left = holds_in(node.left, state) ? Truth::yes : Truth::no;
    const Truth right =
        operands(node.op) > 1 && holds_in(node.right, state) ? Truth::yes : Truth::no;
    return boolean(node.op, left, right) == Truth::yes;
  }

  static Truth boolean(Operator op, Truth left, Truth right) {
    switch (op) {
      case Operator::negation: return negated(left);
      case Operator::conjunction: return both(left, right);
      case Operator::disjunction: return either(left, right);
      case Operator::implication: return either(negated(left), right);
      case Operator::equivalence: return same(left, right);
      default: return negated(same(left, right));  // exclusive or
    }
  }

  static Truth temporal(Operator op, Truth left, Truth right, Truth later) {
    switch (op) {
      case Operator::finally: return either(left, later);
      case Operator::globally: return both(left, later);
      case Operator::until:
      case Operator::weak_until: return either(right, both(left, later));
      default: return both(right, either(left, later));  // R, M
    }
  }

  // What holds of a word that begins with a letter that the label admits, and goes on as `next`
  // says; of each node.
  std::vector<Truth> truths(const Label& label, std::uint32_t next) const {
    std::vector<Truth> all(nodes_.size(), Truth::open);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const TightNode& node = nodes_[i];
      const auto later = [&](std::size_t of) { return bit(of, next) ? Truth::yes : Truth::no; };
      if (node.op <= Operator::constant_false) {
        all[i] = node.op == Operator::constant_true ? Truth::yes : Truth::no;
      } else if (node.op == Operator::proposition) {
        const Letter of = Letter{1} << node.proposition;
        if ((label.positive & of) != 0) all[i] = Truth::yes;
        if ((label.negative & of) != 0) all[i] = Truth::no;
      } else if (node.op == Operator::next) {
        all[i] = later(node.left);
      } else if (is_temporal(node.op)) {
        all[i] = temporal(node.op, all[node.left], all[node.right], later(i));
      } else {
        all[i] = boolean(node.op, all[node.left], all[node.right]);
      }
    }
    return all;
  }

  // What a set waits for happens in a step: what was claimed comes, or what was denied is broken;
  // or nothing was.
  Truth is_in_set(std::size_t i, const std::vector<Truth>& all) const {
    const TightNode& node = nodes_[i];
    const bool by_left = operands(node.op) == 1 || node.op == Operator::strong_release ||
                         node.op == Operator::weak_until;
    const Truth decisive = all[by_left ? node.left : node.right];
    return is_least(node.op) ? either(negated(all[i]), decisive)
                             : either(all[i], negated(decisive));
  }

  // The transitions to a state, which are determined by their letters.  False: there are too many.
  bool add_steps_to(std::uint32_t next, const Label& label, Automaton& automaton) {
    const std::vector<Truth> all = truths(label, next);
    Transition step{label, 0, next};
    std::uint32_t from = 0;
    bool is_open = false;
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      is_open = is_open || all[tracked_[i]] == Truth::open;
      if (all[tracked_[i]] == Truth::yes) from |= 1U << i;
    }
    for (std::size_t i = 0; i < with_set_.size(); ++i) {
      const Truth in = is_in_set(with_set_[i], all);
      is_open = is_open || in == Truth::open;
      if (in == Truth::yes) step.marks |= SetMask{1} << i;
    }
    if (!is_open) {
      automaton.transitions[from].push_back(step);
      return ++count_ <= kMostTransitions;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].op != Operator::proposition || all[i] != Truth::open) continue;
      const Letter of = Letter{1} << nodes_[i].proposition;
      return add_steps_to(next, {label.positive | of, label.negative}, automaton) &&
             add_steps_to(next, {label.positive, label.negative | of}, automaton);
    }
    return true;  // unreachable: without open propositions nothing is open
  }

  std::vector<TightNode> nodes_;
  std::map<std::tuple<Operator, std::uint32_t, std::size_t, std::size_t>, std::size_t> numbers_;
  std::vector<std::size_t> tracked_;   // nodes whose truth a state has
  std::vector<std::size_t> with_set_;  // nodes
  std::size_t count_ = 0;
  std::size_t root_;
};

// One state for all that simulate each other, with the transitions of all of them: each run is one
// of the smaller automaton as well.
Automaton merged_alike(const Automaton& automaton) {
  const Simulation simulation(automaton, Simulation::Marks::all);
  std::vector<std::uint32_t> to(automaton.states());
  for (std::uint32_t state = 0; state < automaton.states(); ++state) {
    to[state] = state;
    for (std::uint32_t before = 0; before < state && to[state] == state; ++before)
      if (simulation.same(before, state)) to[state] = to[before];
  }
  Automaton result;
  result.propositions = automaton.propositions;
  result.sets = automaton.sets;
  result.transitions.resize(automaton.states());
  for (const std::uint32_t state : automaton.initial) result.initial.push_back(to[state]);
  std::ranges::sort(result.initial);
  result.initial.erase(std::unique(result.initial.begin(), result.initial.end()),
                       result.initial.end());
  for (std::uint32_t state = 0; state < automaton.states(); ++state)
    for (Transition transition : automaton.transitions[state]) {
      transition.target = to[transition.target];
      result.transitions[to[state]].push_back(transition);
    }
  return result;
}

}  // namespace

std::optional<Automaton> translate_tightly(const Formula& formula,
                                           const std::vector<std::string>& names) {
  std::optional<Automaton> automaton = TightTranslation(formula).build();
  if (!automaton) return std::nullopt;
  *automaton = pruned(*automaton);
  merge_labels(*automaton);
  if (Simulation::is_affordable(*automaton)) {
    *automaton = pruned(merged_alike(*automaton));
    merge_labels(*automaton);
  }
  automaton->propositions = names;
  return automaton;
}

}  // namespace spillway::ltl
