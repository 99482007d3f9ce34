#include "product/product_lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text/printable.h"
#include "product/product_model.h"

namespace spillway {
namespace {

// A name as a pattern that matches it.
std::string pattern_of(std::string name) {
  for (char& c : name)
    if (c == '*' || c == '[' || c == ']' || c == '\\' || c == '\'') c = '?';
  return name;
}

// Rules "a", "b" and 7 more
std::string some_of(std::string_view what, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 3;
  std::string text(what);
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i)
    text += fmt::format("{} \"{}\"", i == 0 ? "" : ",", printable(names[i]));
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

bool leads_to(const Successors& out, RuleIndex rule, State next) {
  const States states = out.states();
  for (std::size_t i = 0; i < states.size(); ++i)
    if (out.rule(i) == rule && equal(states[i], next)) return true;
  return false;
}

}  // namespace

ProductLasso::ProductLasso(const Model& system, const ProductRows& rows, const Lasso& run)
    : system_(system), loop_start_(run.loop_start) {
  std::vector<Word> room;
  for (std::size_t i = 0; i + 1 < run.states.size(); ++i) {
    const State state = rows.system(run.states[i], room);
    SystemStep step{
        {state.begin(), state.end()}, Successors(system.words()), run.rules[i + 1], false};
    step.out.want_rules(true);
    system.steps().successors(step.state, step.out);
    steps_.push_back(std::move(step));
  }
  const State last = rows.system(run.states.back(), room);
  last_.assign(last.begin(), last.end());
  for (std::size_t i = 0; i < steps_.size(); ++i)
    steps_[i].changes =
        !equal(steps_[i].state, i + 1 < steps_.size() ? steps_[i + 1].state : last_);
}

bool ProductLasso::is_run(bool may_stutter) const {
  if (loop_start_ >= steps_.size() || !equal(last_, steps_[loop_start_].state)) return false;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const SystemStep& step = steps_[i];
    const State next = i + 1 < steps_.size() ? State(steps_[i + 1].state) : State(last_);
    const bool stutters = step.rule == kStutterRule;
    if (stutters ? !may_stutter || step.changes || step.out.size() != 0 || step.out.moved()
                 : !leads_to(step.out, step.rule, next))
      return false;
  }
  return true;
}

bool ProductLasso::is_fair(const FairActors& actors) const {
  SetMask acts = 0, disabled = 0;
  for (std::size_t i = loop_start_; i < steps_.size(); ++i) {
    SetMask enabled = 0;
    const States next = steps_[i].out.states();
    for (std::size_t k = 0; k < next.size(); ++k)
      if (!equal(next[k], steps_[i].state)) enabled |= actors.of(steps_[i].out.rule(k));
    disabled |= ~enabled;
    if (steps_[i].changes) acts |= actors.of(steps_[i].rule);
  }
  return ((acts | disabled) & all_sets(actors.size())) == all_sets(actors.size());
}

std::vector<Letter> ProductLasso::letters() const {
  std::vector<Letter> all;
  for (const SystemStep& step : steps_) {
    std::optional<Failure> failure;
    all.push_back(system_.conditions().evaluate_again(step.state, failure));
  }
  return all;
}

template <class NamesOf>
std::vector<std::string> ProductLasso::starved(const NamesOf& names_of) const {
  std::map<std::string, std::size_t> enabled;  // in how many states
  std::set<std::string> acted;
  for (std::size_t i = loop_start_; i < steps_.size(); ++i) {
    const SystemStep& step = steps_[i];
    std::set<std::string> here;
    for (std::size_t k = 0; k < step.out.size(); ++k)
      if (!equal(step.out.states()[k], step.state)) here.merge(names_of(step.out.rule(k)));
    for (const std::string& name : here) ++enabled[name];
    if (step.changes) acted.merge(names_of(step.rule));
  }
  std::vector<std::string> all;
  for (const auto& [name, states] : enabled)
    if (states == loop_steps() && !acted.contains(name)) all.push_back(name);
  return all;
}

std::string ProductLasso::remark() const {
  if (steps_.back().rule == kStutterRule)
    return "The run ends, and its last state counts as repeated for ever; --ltl-ends=ignore leaves "
           "such runs out.";
  const std::vector<std::string> processes = starved([&](RuleIndex rule) {
    const std::vector<std::string> names = system_.description().rule_instance(rule).processes;
    return std::set<std::string>(names.begin(), names.end());
  });
  if (!processes.empty())
    return fmt::format(
        "{} could act in every state of the loop, but never {}; --fair=processes leaves such runs "
        "out.",
        some_of(processes.size() == 1 ? "Process" : "Processes", processes),
        processes.size() == 1 ? "does" : "do");
  std::map<std::string, std::string> patterns;  // of rules
  const std::vector<std::string> rules = starved([&](RuleIndex rule) {
    const Description& description = system_.description();
    patterns[description.rule_name(rule)] = pattern_of(description.rule_instance(rule).name);
    return std::set<std::string>{description.rule_name(rule)};
  });
  if (rules.empty()) return "";
  std::set<std::string> options;
  for (const std::string& rule : rules)
    options.insert(fmt::format("--fair '{}'", printable(patterns[rule])));
  return fmt::format(
      "{} could act in every state of the loop, but never {}. This leaves such runs out: {}",
      some_of(rules.size() == 1 ? "Rule" : "Rules", rules), rules.size() == 1 ? "does" : "do",
      fmt::join(options, " "));
}

}  // namespace spillway
