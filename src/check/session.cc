#include "check/session.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {
namespace {

// Whether the model can have observed this.
bool is_of(const Model& model, const Observed& observed) {
  if (observed == Observed{}) return !model.coverage({});
  return model.coverage(observed).has_value();
}

}  // namespace

Session::Session(const Model& checked, const SessionOptions& options)
    : model(checked),
      cluster(options.cluster),
      lookout(
          {options.limits.timeout_seconds, options.stop, options.observer, options.observe_seconds,
           options.announcer,
           cluster == nullptr ? std::function<bool()>() : [this] { return cluster->is_left(); }},
          [this] { return levels.progress(); }),
      expanders(checked, options.deadlock, options.threads, lookout, findings,
                cluster == nullptr || cluster->rank() == 0),
      levels(checked,
             {options.limits.max_depth, options.limits.max_states, options.most_goal_states},
             expanders, findings, lookout, cluster) {}

void Session::add_up_expansions() {
  if (cluster == nullptr) return;
  elsewhere_ = cluster->sum(expanders.total()) - expanders.total();
}

void Session::restore(const Manifest& from) {
  earlier_seconds_ = from.seconds;
  for (const std::uint64_t property : from.covered) {
    if (property >= model.properties().size())
      throw Error(
          Fault::integrity,
          fmt::format("the checkpoint refers to property {}, but the model has {} properties",
                      property, model.properties().size()));
    expanders.set_covered(static_cast<PropertyIndex>(property));
  }
  // A rank has nothing to count before it gets a state.
  const bool nothing_yet = cluster != nullptr && from.observed == Observed{};
  if (!nothing_yet && !is_of(model, from.observed))
    throw Error(Fault::integrity,
                "the checkpoint has counted other rules or properties than the model has");
  expanders.restore(from.observed);
  levels.restore(from.levels, from.level_states);
}

}  // namespace spillway
