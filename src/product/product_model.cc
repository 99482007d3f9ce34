#include "product/product_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "ltl/exchange/hoa.h"
#include "product/product_lasso.h"

namespace spillway {
namespace {

// Engines want at least one set; in that of an automaton without any are all steps.
ltl::Automaton with_a_set(ltl::Automaton automaton) {
  if (automaton.sets != 0) return automaton;
  automaton.sets = 1;
  for (auto& transitions : automaton.transitions)
    for (ltl::Transition& transition : transitions) transition.marks = 1;
  return automaton;
}

// Without room, there is no room for rules either.
bool wants_rules(Successors& out) {
  if (out.room() == 0) out.make_room(1);
  return out.rules() != nullptr;
}

// Of two transitions to one state, a run can do without the one whose sets the other is in as well.
void add_transition(const ltl::Transition& added, std::vector<const ltl::Transition*>& all) {
  for (const ltl::Transition*& known : all) {
    const SetMask both = known->marks | added.marks;
    if (known->target != added.target || (both != known->marks && both != added.marks)) continue;
    if (both != known->marks) known = &added;
    return;
  }
  all.push_back(&added);
}

RunProperty with_a_set(RunProperty property) {
  property.automaton = with_a_set(std::move(property.automaton));
  return property;
}

}  // namespace

// What one thread needs for one call.
struct ProductModel::Scratch {
  explicit Scratch(std::size_t words) : out(words) {}
  Successors out;  // of the system
  std::vector<Word> room;
  std::vector<const ltl::Transition*> transitions;  // that may be taken
};

ProductModel::Scratch& ProductModel::scratch() const {
  // No product calls another one while it uses its scratch, so that they can share it.
  thread_local std::unique_ptr<Scratch> mine;
  thread_local std::size_t words = 0;
  if (!mine || words != steps_.words()) {
    words = steps_.words();
    mine = std::make_unique<Scratch>(words);
  }
  mine->out.clear();
  mine->transitions.clear();
  return *mine;
}

ProductModel::ProductModel(const Model& system, RunProperty property, FairActors fair, RunEnds ends)
    : WholeModel(system.name()),
      system_(system),
      steps_(system.steps()),
      conditions_(system.conditions()),
      description_(system.description()),
      property_(with_a_set(std::move(property))),
      fair_(std::move(fair)),
      ends_(ends),
      components_(ltl::components(property_.automaton)),
      rows_(system.words(), system.composition().free_bits, property_.automaton.states()) {
  if (sets() > kMostSets)
    throw Error(Fault::usage, fmt::format("\"{}\" and fairness need {} acceptance sets, but at "
                                          "most {} are possible",
                                          property_.name, sets(), kMostSets));
  composition_.runtime = &system.runtime();
  composition_.quotient = this;
  composition_.layout = fmt::format("{}{} words, {} bits of an automaton\n", system.layout(),
                                    words(), rows_.state_bits());
  composition_.automaton = ltl::hoa(property_.automaton, "");
  for (std::size_t i = 0; i < fair_.size(); ++i)
    composition_.automaton += fmt::format("fair {}\n", fair_.name(i));
  if (&system.concrete() == &system) return;
  concrete_ = std::make_unique<ProductModel>(system.concrete(), property_, fair_, ends);
  composition_.concrete = concrete_.get();
}

unsigned ProductModel::sets() const {
  return property_.automaton.sets + static_cast<unsigned>(fair_.size());
}

std::uint32_t ProductModel::part(State state) const {
  const std::uint32_t part = components_.of[rows_.automaton_state(state)];
  return components_.accepting[part] ? part : kNoPart;
}

// States of the automaton that are not useful occur in no row.
std::string ProductModel::why_not_a_state(State row) const {
  const std::optional<std::uint32_t> state =
      rows_.automaton_state_within(row, components_.of.size());
  if (!state || !components_.useful[components_.of[*state]])
    return fmt::format("the automaton of \"{}\" has no such state", printable(property_.name));
  return steps_.why_not_a_state(rows_.system(row, scratch().room));
}

void ProductModel::initial(Successors& out) const {
  Scratch& mine = scratch();
  mine.out.want_rules(wants_rules(out));
  steps_.initial(mine.out);
  std::vector<std::uint32_t> states;
  for (const std::uint32_t state : property_.automaton.initial)
    if (components_.useful[components_.of[state]]) states.push_back(state);
  const std::size_t count = mine.out.size() * states.size();
  if (out.room() < count) out.make_room(count);
  std::size_t written = 0;
  for (std::size_t i = 0; i < mine.out.size(); ++i)
    for (const std::uint32_t state : states) {
      rows_.write(mine.out.states()[i], state, out.rows() + written * words());
      if (out.rules() != nullptr) out.rules()[written] = mine.out.rule(i);
      if (out.marks() != nullptr) out.marks()[written] = 0;
      ++written;
    }
  if (mine.out.failure())
    out.add(count, *mine.out.failure());
  else
    out.add(count);
}

void ProductModel::successors(State state, Successors& out) const {
  Scratch& mine = scratch();
  const State at = rows_.system(state, mine.room);
  std::optional<Failure> failure;
  const Letter letter = conditions_.evaluate(at, failure);
  if (failure) return out.add(0, *failure);
  for (const ltl::Transition& transition :
       property_.automaton.transitions[rows_.automaton_state(state)])
    if (transition.label.admits(letter) && components_.useful[components_.of[transition.target]])
      add_transition(transition, mine.transitions);
  if (mine.transitions.empty()) return out.add(0);
  mine.out.want_rules(wants_rules(out) || !fair_.empty());
  steps_.successors(at, mine.out);
  write_steps(at, mine, out);
}

void ProductModel::write_steps(State state, Scratch& mine, Successors& out) const {
  const bool ends =
      mine.out.size() == 0 && !mine.out.moved() && !mine.out.failure() && ends_ == RunEnds::stutter;
  const States next = ends ? States(state.data(), 1, state.size()) : mine.out.states();
  const SetMask enabled = fair_.empty() ? 0 : fair_.enabled(state, mine.out);
  const std::size_t count = next.size() * mine.transitions.size();
  if (out.room() < count) out.make_room(count);
  std::size_t written = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const bool knows_rule = out.rules() != nullptr || !fair_.empty();
    const RuleIndex rule = ends ? kStutterRule : knows_rule ? mine.out.rule(i) : kNoRule;
    SetMask served = 0;
    if (!fair_.empty())
      served = fair_.served(enabled, rule, !equal(next[i], state)) << property_.automaton.sets;
    for (const ltl::Transition* transition : mine.transitions) {
      rows_.write(next[i], transition->target, out.rows() + written * words());
      if (out.rules() != nullptr) out.rules()[written] = rule;
      if (out.marks() != nullptr) out.marks()[written] = transition->marks | served;
      ++written;
    }
  }
  if (mine.out.failure())
    out.add(count, *mine.out.failure());
  else
    out.add(count);
  if (mine.out.moved()) out.set_moved();
}

void ProductModel::represent(Word* row) const {
  Scratch& mine = scratch();
  const State whole(row, words());
  const std::uint32_t state = rows_.automaton_state(whole);
  const State system = rows_.system(whole, mine.room);
  std::vector<Word> copy(system.begin(), system.end());
  system_.quotient().represent(copy.data());
  rows_.write(copy, state, row);
}

bool ProductModel::is_violated_by(const Lasso& run) const {
  const ProductLasso lasso(system_.concrete(), rows_, run);
  return lasso.is_run(ends_ == RunEnds::stutter) && lasso.is_fair(fair_) &&
         (!property_.is_violated_by || property_.is_violated_by(lasso.letters(), run.loop_start));
}

std::string ProductModel::about(const Lasso& run) const {
  return ProductLasso(system_.concrete(), rows_, run).remark();
}

std::vector<Variable> ProductModel::variables(State state) const {
  std::vector<Word> room;
  return description_.variables(rows_.system(state, room));
}

std::vector<StatePart> ProductModel::parts(State state) const {
  std::vector<Word> room;
  return description_.parts(rows_.system(state, room));
}

}  // namespace spillway
