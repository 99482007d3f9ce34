#include "check/session/session.h"

#include <fmt/format.h>

#include "base/error.h"
#include "check/facts/expect_state.h"

namespace spillway {
namespace {

// Whether the model can have observed this.
bool is_of(const Model& model, const Observed& observed) {
  if (observed == Observed{}) return !model.description().coverage({});
  return model.description().coverage(observed).has_value();
}

}  // namespace

Session::Session(const Model& checked, const SessionOptions& options)
    : model(checked),
      cluster(*options.cluster),
      lookout({options.limits.timeout_seconds, options.stop, options.observer,
               options.observe_seconds, options.announcer, [this] { return cluster.is_left(); }},
              [this] { return levels.progress(); }),
      expanders(checked, options.deadlock, options.threads, lookout, findings, cluster.rank() == 0),
      levels(checked,
             {options.limits.max_depth, options.limits.max_states, options.most_goal_states,
              options.limits.max_errors},
             expanders, findings, lookout, cluster),
      max_errors_(options.limits.max_errors) {}

void Session::add_up_expansions() {
  elsewhere_ = cluster.sum(expanders.total()) - expanders.total();
}

// Evaluates each finding of a checkpoint again: a file alone is no proof of a violation.
void Session::restore(const std::vector<Finding>& earlier) {
  if (earlier.size() >= max_errors_)
    throw Error(Fault::integrity,
                fmt::format("the checkpoint has {} violations, after which the search had ended",
                            earlier.size()));
  for (const Finding& finding : earlier) {
    expect_states(model, finding);
    std::optional<Finding> again = expanders.found_again(finding);
    if (!again)
      throw Error(Fault::integrity,
                  fmt::format("the checkpoint has a violation at depth {} that the model does not "
                              "show again",
                              finding.depth));
    findings.add(*std::move(again));
  }
}

void Session::restore(const EarlierWork& from) {
  earlier_seconds_ = from.seconds;
  for (const std::uint64_t property : from.covered) {
    expect_property(model, property);
    expanders.set_covered(static_cast<PropertyIndex>(property));
  }
  // There is nothing to count before the first state.
  const bool nothing_yet = from.states() == 0 && from.observed == Observed{};
  if (!nothing_yet && !is_of(model, from.observed))
    throw Error(Fault::integrity,
                "the checkpoint has counted other rules or properties than the model has");
  expanders.restore(from.observed);
  restore(from.found);
  levels.restore(from.levels, from.level_states);
}

}  // namespace spillway
