#include "check/trace/next_steps.h"

#include <algorithm>

#include "check/facts/examiner.h"

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
  model.steps().initial(out);
  return {steps_of(out), out.failure(), false, {}};
}

NextSteps next_steps(const Model& model, Deadlock deadlock, State state) {
  Successors out(model.words());
  out.want_rules(true);
  NextSteps seen;
  Examiner(model, deadlock, true)(state, out, [&](const Seen& one) {
    if (one.kind == PropertyKind::deadlock)
      seen.deadlock = true;
    else if (!one.failure)
      seen.noted.push_back(one.property);
  });
  seen.failure = out.failure();
  seen.steps = steps_of(out);
  return seen;
}

}  // namespace spillway
