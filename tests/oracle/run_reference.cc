#include "run_reference.h"

#include <bitset>
#include <map>
#include <set>

#include "boolean_meaning.h"

namespace spillway {
namespace {

using ltl::Formula;
using ltl::Operator;
using Nodes = std::bitset<RunReference::kMostNodes>;

void collect(const Formula& formula, std::vector<Formula>& all) {
  if (ltl::operands(formula.op()) >= 1) collect(formula.left(), all);
  if (ltl::operands(formula.op()) == 2) collect(formula.right(), all);
  if (ltl::is_temporal(formula.op())) all.push_back(formula);
}

struct Edge {
  std::size_t from, to;
  std::set<RuleIndex> served;  // actors that act in it or are disabled before it
};

class Guesses {
 public:
  Guesses(const RandomSystem& system, const Formula& formula, const RunReference& how)
      : system_(system), formula_(formula), how_(how) {
    collect(formula, temporal_);
    guesses_ = std::size_t{1} << temporal_.size();
    for (std::uint32_t state = 0; state < system.states(); ++state) add_edges(state);
  }

  bool has_run() const {
    Nodes reached = begin();
    for (bool grows = true; grows;) {
      grows = false;
      for (const Edge& edge : edges_)
        if (reached[edge.from] && !reached[edge.to]) grows = reached[edge.to] = true;
    }
    for (std::size_t node = 0; node < nodes(); ++node)
      if (reached[node] && is_in_right_component(node)) return true;
    return false;
  }

 private:
  std::size_t nodes() const { return system_.states() * guesses_; }
  std::uint32_t state(std::size_t node) const {
    return static_cast<std::uint32_t>(node / guesses_);
  }
  bool guess(std::size_t node, std::size_t operator_number) const {
    return (node % guesses_ >> operator_number & 1) != 0;
  }

  // `next`: the number of the temporal operator that is met next, in the order of collect().
  bool value(const Formula& f, std::size_t node, std::size_t& next) const {
    if (f.op() == Operator::proposition)
      return (system_.letter(state(node)) >> f.proposition() & 1) != 0;
    const bool left = ltl::operands(f.op()) >= 1 && value(f.left(), node, next);
    const bool right = ltl::operands(f.op()) == 2 && value(f.right(), node, next);
    return ltl::is_temporal(f.op()) ? guess(node, next++) : boolean_meaning(f.op(), left, right);
  }
  // Of an operand of temporal operator `number`, which stands before it in that order.
  bool operand(std::size_t number, bool second, std::size_t node) const {
    const Formula& f = second ? temporal_[number].right() : temporal_[number].left();
    std::vector<Formula> of_operand, of_right;
    collect(f, of_operand);
    if (!second && ltl::operands(temporal_[number].op()) == 2)
      collect(temporal_[number].right(), of_right);
    std::size_t next = number - of_operand.size() - of_right.size();
    return value(f, node, next);
  }

  bool fits(std::size_t from, std::size_t to) const {
    for (std::size_t i = 0; i < temporal_.size(); ++i) {
      const Operator op = temporal_[i].op();
      const bool now = guess(from, i), later = guess(to, i);
      const bool a = operand(i, false, from);
      const bool b = ltl::operands(op) == 2 && operand(i, true, from);
      bool law = false;
      switch (op) {
        case Operator::next: law = operand(i, false, to); break;
        case Operator::finally: law = a || later; break;
        case Operator::globally: law = a && later; break;
        case Operator::until:
        case Operator::weak_until: law = b || (a && later); break;
        case Operator::release:
        case Operator::strong_release: law = b && (a || later); break;
        default: break;
      }
      if (now != law) return false;
    }
    return true;
  }

  // Whether the guess of operator i at a node is not the promise of something that is still to
  // come.
  bool is_kept(std::size_t i, std::size_t node) const {
    const Operator op = temporal_[i].op();
    const bool now = guess(node, i);
    const bool a = operand(i, false, node);
    const bool b = ltl::operands(op) == 2 && operand(i, true, node);
    switch (op) {
      case Operator::finally: return !now || a;
      case Operator::until: return !now || b;
      case Operator::strong_release: return !now || (a && b);
      case Operator::globally: return now || !a;
      case Operator::release: return now || !b;
      case Operator::weak_until: return now || (!a && !b);
      default: return true;
    }
  }

  void add_edges(std::uint32_t from) {
    std::vector<SystemStep> steps = system_.steps_of(from);
    std::set<RuleIndex> enabled;
    for (const SystemStep& step : steps)
      if (step.to != from) enabled.insert(step.rule);
    if (system_.ends(from) && how_.stutters) steps.push_back({from, UINT32_MAX});
    for (const SystemStep& step : steps) {
      std::set<RuleIndex> served;
      for (const RuleIndex actor : how_.fair)
        if (!enabled.contains(actor) || (step.rule == actor && step.to != from))
          served.insert(actor);
      for (std::size_t i = 0; i < guesses_; ++i)
        for (std::size_t k = 0; k < guesses_; ++k)
          if (fits(from * guesses_ + i, step.to * guesses_ + k))
            edges_.push_back({from * guesses_ + i, step.to * guesses_ + k, served});
    }
  }

  Nodes begin() const {
    Nodes all;
    for (const std::uint32_t state : system_.initial_states())
      for (std::size_t i = 0; i < guesses_; ++i) {
        std::size_t next = 0;
        if (value(formula_, state * guesses_ + i, next)) all.set(state * guesses_ + i);
      }
    return all;
  }

  Nodes closure(std::size_t node, bool forwards) const {
    Nodes all;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Edge& edge : edges_) {
        const std::size_t from = forwards ? edge.from : edge.to,
                          to = forwards ? edge.to : edge.from;
        if ((from == node || all[from]) && !all[to]) grows = all[to] = true;
      }
    }
    return all;
  }

  bool is_in_right_component(std::size_t node) const {
    const Nodes component = closure(node, true) & closure(node, false);
    if (!component[node]) return false;
    for (std::size_t i = 0; i < temporal_.size(); ++i) {
      bool kept = false;
      for (std::size_t other = 0; other < nodes(); ++other)
        kept = kept || (component[other] && is_kept(i, other));
      if (!kept) return false;
    }
    for (const RuleIndex actor : how_.fair) {
      bool served = false;
      for (const Edge& edge : edges_)
        served =
            served || (component[edge.from] && component[edge.to] && edge.served.contains(actor));
      if (!served) return false;
    }
    return true;
  }

  const RandomSystem& system_;
  const Formula& formula_;
  const RunReference& how_;
  std::vector<Formula> temporal_;
  std::size_t guesses_ = 1;
  std::vector<Edge> edges_;
};

}  // namespace

std::size_t temporal_operators(const Formula& formula) {
  std::vector<Formula> all;
  collect(formula, all);
  return all.size();
}

bool RunReference::has_run(const RandomSystem& system, const Formula& formula) const {
  return Guesses(system, formula, *this).has_run();
}

}  // namespace spillway
