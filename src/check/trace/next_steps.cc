#include "check/trace/next_steps.h"

#include <algorithm>

namespace spillway {
namespace {

std::vector<Step> steps_of(const Successors& out) {
  std::vector<Step> all;
  all.reserve(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const State state = out.states()[i];
    all.push_back({out.rule(i), {state.begin(), state.end()}});
  }
  return all;
}

}  // namespace

bool NextSteps::has(PropertyIndex property) const {
  return std::ranges::find(noted, property) != noted.end();
}

NextSteps initial_next_steps(const Model& model) {
  Successors out(model.words());
  out.want_rules(true);
  model.initial(out);
  return {steps_of(out), out.failure(), false, {}};
}

NextSteps next_steps(const Model& model, Deadlock deadlock, State state) {
  Successors out(model.words());
  out.want_rules(true);
  model.successors(state, out);
  NextSteps seen{steps_of(out), out.failure(), false, {}};
  seen.deadlock = !out.failure() && !out.moved() && is_deadlock(deadlock, state, out.states());
  seen.noted.resize(model.properties().size());
  seen.noted.resize(model.check(state, seen.noted.data()));
  return seen;
}

}  // namespace spillway
