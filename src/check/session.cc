#include "check/session.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {

Session::Session(const Model& checked, const SessionOptions& options)
    : model(checked),
      lookout({options.limits.timeout_seconds, options.stop, options.observer,
               options.observe_seconds, options.announcer},
              [this] { return levels.progress(); }),
      expanders(checked, options.deadlock, options.threads, lookout, findings),
      levels(checked,
             {options.limits.max_depth, options.limits.max_states, options.most_goal_states},
             expanders, findings, lookout) {}

void Session::restore(const std::vector<Level>& restored, std::uint64_t level_states,
                      const std::vector<std::uint64_t>& covered, double seconds) {
  earlier_seconds_ = seconds;
  for (const std::uint64_t property : covered) {
    if (property >= model.properties().size())
      throw Error(
          Fault::integrity,
          fmt::format("the checkpoint refers to property {}, but the model has {} properties",
                      property, model.properties().size()));
    expanders.set_covered(static_cast<PropertyIndex>(property));
  }
  levels.restore(restored, level_states);
}

}  // namespace spillway
