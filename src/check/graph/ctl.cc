#include "check/graph/ctl.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/text/printable.h"
#include "check/graph/ctl_path.h"
#include "ltl/formula/evaluate.h"
#include "passes/branching.h"

namespace spillway {
namespace {

using ltl::CtlFormula;
using ltl::Operator;

Letter letter_of(const Conditions& conditions, State state) {
  std::optional<Failure> failure;
  const Letter letter = conditions.evaluate_again(state, failure);
  if (failure)
    throw Error(Fault::model, fmt::format("a proposition cannot be evaluated in a state: {}",
                                          printable(failure->message)));
  return letter;
}

// Where the propositions hold; those that do not occur stay empty.
std::vector<BitVector> proposition_sets(const CtlFormula& formula, const Conditions& conditions,
                                        StateGraph& states, LevelReader& levels, Budget& budget) {
  Letter used = 0;
  for (const ltl::CtlNode& node : formula.nodes())
    if (node.op == Operator::proposition) used |= Letter{1} << node.proposition;
  std::vector<BitVector> sets;
  for (std::size_t i = 0; i < conditions.propositions(); ++i)
    sets.emplace_back(budget, (used >> i & 1) != 0 ? states.size() : 1);
  states.each(levels, [&](unsigned, Node node, State state) {
    std::optional<Failure> failure;
    const Letter letter = conditions.evaluate(state, failure);
    if (failure) letter_of(conditions, state);  // says what is wrong
    for (std::size_t i = 0; i < sets.size(); ++i)
      if ((letter & used) >> i & 1) sets[i].set_shared(node);
  });
  return sets;
}

// The states from which no path goes on.
BitVector cut_off_states(Branching& branching, std::uint64_t states, Budget& budget) {
  BitVector set(budget, states);
  set.fill(states);
  branching.always(set);
  set.flip();
  return set;
}

bool has_successors(const Transitions& steps, State state) {
  Successors out(steps.words());
  steps.successors(state, out);
  return out.size() != 0;
}

// A path whose last state has no successors, and nevertheless goes on, ends there.
void end_where_nothing_follows(const Model& model, StateGraph& states, LevelReader& levels,
                               CtlPath& path) {
  const Node last = path.nodes.back();
  const bool stays = (path.nodes.size() > 1 && path.nodes[path.nodes.size() - 2] == last) ||
                     (path.loop.size() == 1 && path.loop[0] == last);
  if (!stays || has_successors(model.steps(), states.states(levels, {&last, 1}).front())) return;
  path.loop.clear();
  while (path.nodes.size() > 1 && path.nodes[path.nodes.size() - 2] == last) path.nodes.pop_back();
}

Finding finding_of(const CtlPath& path, StateGraph& states, LevelReader& levels) {
  std::vector<Node> nodes = path.nodes;
  nodes.insert(nodes.end(), path.loop.begin(), path.loop.end());
  std::vector<std::vector<Word>> rows = states.states(levels, nodes);
  const auto last = rows.begin() + static_cast<std::ptrdiff_t>(path.nodes.size()) - 1;
  Finding finding{PropertyKind::ctl, 0, path.nodes.size() - 1, *last};
  finding.stem.assign(rows.begin(), last);
  finding.loop.assign(last + 1, rows.end());
  finding.partial = !path.complete;
  return finding;
}

// G p, of a state: no path to a state without p is shorter than the one that was found.
bool is_invariance(const CtlFormula& formula) {
  const ltl::CtlNode& root = formula.nodes().back();
  return root.op == Operator::release && root.quantifier == ltl::Quantifier::all &&
         formula.nodes()[root.left].op == Operator::constant_false &&
         std::ranges::count_if(formula.nodes(), [](const ltl::CtlNode& node) {
           return ltl::is_temporal(node.op);
         }) == 1;
}

bool is_violated_by(const ltl::Formula& formula, const Model& model, const Trace& trace) {
  std::vector<Letter> letters;
  for (const Step& step : trace.steps) letters.push_back(letter_of(model.conditions(), step.row));
  return !ltl::holds(formula, letters,
                     letters.size() - std::max<std::size_t>(1, trace.finding.loop.size()));
}

}  // namespace

void decide_ctl(const ltl::NamedCtl& named, std::size_t index, Session& session, StateGraph& states,
                LevelReader& levels, Budget& budget, Crew& crew) {
  const auto poll = [&session] { session.lookout.look_up(); };
  const CtlFormula formula = ltl::with_negations_inside(named.formula);
  const std::vector<BitVector> propositions =
      proposition_sets(formula, session.model.conditions(), states, levels, budget);
  Branching branching(states.edges(), budget, crew, {.poll = poll});
  std::optional<BitVector> cut_off;
  if (states.has_dead_ends()) cut_off = cut_off_states(branching, states.size(), budget);
  const CtlSets sets(formula, propositions, branching, cut_off ? &*cut_off : nullptr, states.size(),
                     budget);
  std::vector<Node> without;
  for (Node node = 0; node < states.ends().front(); ++node)
    if (!sets.of_all().get(node)) without.push_back(node);
  if (without.empty()) return;
  CtlPath path = CtlPaths(sets, states.edges(), budget, poll).refute(std::move(without));
  end_where_nothing_follows(session.model, states, levels, path);
  Finding finding = finding_of(path, states, levels);
  finding.property = static_cast<PropertyIndex>(index);
  finding.formula = named.name;
  session.findings.add(std::move(finding));
}

bool complete_ctl_trace(const ltl::NamedCtl& named, const Model& model, Trace& trace) {
  const Model& concrete = model.concrete();
  const CtlFormula formula = ltl::with_negations_inside(named.formula);
  trace.shortest = is_invariance(formula);
  if (trace.finding.partial)
    trace.remark = "One run cannot show all of it: the formula is about other runs, too.";
  else if (trace.finding.loop.empty() && !is_invariance(formula) &&
           !has_successors(concrete.steps(), trace.steps.back().row))
    trace.remark = "The last state has no successors: the run stays there for ever.";
  const std::optional<ltl::Formula> linear = on_each_path(formula);
  return trace.finding.partial || !linear || is_violated_by(*linear, concrete, trace);
}

}  // namespace spillway
