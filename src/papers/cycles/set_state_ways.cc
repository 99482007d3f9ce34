#include "papers/cycles/set_state_ways.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

bool is_taken(const SetStateStep& step, Steps allowed) {
  return allowed == Steps::all || step.inside;
}

bool leads_to(SetStates& set_states, State from, State to, Steps allowed) {
  return std::ranges::any_of(set_states.expand_again(from), [&](const SetStateStep& step) {
    return is_taken(step, allowed) && equal(step.to, to);
  });
}

}  // namespace

bool reaches(SetStates& set_states, DelayedLevels& levels, State target, Steps allowed) {
  while (StateFile* const level = levels.next_level()) {
    for (const State set_state : level->scan())
      if (equal(set_state, target)) return true;
    for (const State set_state : level->scan())
      for (const SetStateStep& step : set_states.expand_again(set_state))
        if (is_taken(step, allowed)) levels.add(step.to.data());
  }
  return false;
}

std::vector<SetStateRow> way_to(SetStates& set_states, DelayedLevels& levels, State target,
                                Steps allowed) {
  std::vector<SetStateRow> way = {{target.begin(), target.end()}};
  for (std::uint64_t number = levels.levels() - 1; number-- > 0;) {
    const std::size_t before = way.size();
    for (const State set_state : levels.level(number))
      if (leads_to(set_states, set_state, way.back(), allowed)) {
        way.emplace_back(set_state.begin(), set_state.end());
        break;
      }
    SPILLWAY_CHECK(way.size() == before + 1);
  }
  std::ranges::reverse(way);
  return way;
}

void report_run(Session& session, const SetStates& set_states, const std::vector<SetStateRow>& stem,
                const std::vector<SetStateRow>& loop) {
  const auto row = [&](const SetStateRow& set_state) {
    const State state = set_states.row(set_state);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{PropertyKind::acceptance, 0, stem.size() - 1, row(stem.back())};
  for (std::size_t i = 0; i + 1 < stem.size(); ++i) finding.stem.push_back(row(stem[i]));
  for (const SetStateRow& set_state : loop) finding.loop.push_back(row(set_state));
  session.findings.add(std::move(finding));
  session.lookout.announce(
      "this search reports the first run that it comes upon: other algorithms report a shorter "
      "one");
  session.lookout.finish({});
}

}  // namespace spillway
