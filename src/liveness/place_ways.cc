#include "liveness/place_ways.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

bool is_taken(const PlaceStep& step, Steps allowed) { return allowed == Steps::all || step.inside; }

bool leads_to(Places& places, State from, State to, Steps allowed) {
  return std::ranges::any_of(places.expand_again(from), [&](const PlaceStep& step) {
    return is_taken(step, allowed) && equal(step.to, to);
  });
}

}  // namespace

bool reaches(Places& places, DelayedLevels& levels, State target, Steps allowed) {
  while (StateFile* const level = levels.next_level()) {
    for (const State place : level->scan())
      if (equal(place, target)) return true;
    for (const State place : level->scan())
      for (const PlaceStep& step : places.expand_again(place))
        if (is_taken(step, allowed)) levels.add(step.to.data());
  }
  return false;
}

std::vector<PlaceRow> way_to(Places& places, DelayedLevels& levels, State target, Steps allowed) {
  std::vector<PlaceRow> way = {{target.begin(), target.end()}};
  for (std::uint64_t number = levels.levels() - 1; number-- > 0;) {
    const std::size_t before = way.size();
    for (const State place : levels.level(number))
      if (leads_to(places, place, way.back(), allowed)) {
        way.emplace_back(place.begin(), place.end());
        break;
      }
    SPILLWAY_CHECK(way.size() == before + 1);
  }
  std::ranges::reverse(way);
  return way;
}

void report_run(Session& session, const Places& places, const std::vector<PlaceRow>& stem,
                const std::vector<PlaceRow>& loop) {
  const auto row = [&](const PlaceRow& place) {
    const State state = places.row(place);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{FindingKind::acceptance, 0, stem.size() - 1, row(stem.back())};
  for (std::size_t i = 0; i + 1 < stem.size(); ++i) finding.stem.push_back(row(stem[i]));
  for (const PlaceRow& place : loop) finding.loop.push_back(row(place));
  session.findings.add(std::move(finding));
  session.lookout.announce(
      "this search reports the first run that it comes upon: other algorithms report a shorter "
      "one");
  session.lookout.finish({});
}

}  // namespace spillway
