#include "storage/table/level_tags.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {
constexpr std::size_t kTags = 255;
constexpr std::size_t kPlenty = 128;  // up to here each level has a tag of its own
// a tag with 1/200 of all states takes in no more levels
constexpr std::uint64_t kShareToClose = 200;
constexpr std::uint64_t kShareToJoin = 100;  // intervals are joined up to 1/100: at most 201 remain
}  // namespace

LevelTags::Opened LevelTags::open_level() {
  Opened opened{0, {}};
  const bool full =
      intervals_.size() < kPlenty || intervals_.back().states >= total_ / kShareToClose;
  if (full && intervals_.size() == kTags) opened.renaming = join();
  if (full) intervals_.push_back({next_level_, 0, 0, static_cast<Tag>(intervals_.size() + 1)});
  ++intervals_.back().levels;
  ++next_level_;
  opened.tag = intervals_.back().tag;
  return opened;
}

void LevelTags::close_level(std::uint64_t states) {
  intervals_.back().states += states;
  total_ += states;
}

LevelTags::Renaming LevelTags::join() {
  Renaming renaming{};
  std::vector<Interval> joined;
  for (const Interval& interval : intervals_) {
    if (!joined.empty() && joined.back().states + interval.states <= total_ / kShareToJoin) {
      joined.back().levels += interval.levels;
      joined.back().states += interval.states;
    } else {
      joined.push_back(interval);
      joined.back().tag = static_cast<Tag>(joined.size());
    }
    renaming[interval.tag] = joined.back().tag;
  }
  SPILLWAY_CHECK(joined.size() < kTags);
  intervals_ = std::move(joined);
  return renaming;
}

std::size_t LevelTags::interval_of(std::uint64_t level) const {
  const auto after = std::upper_bound(
      intervals_.begin(), intervals_.end(), level,
      [](std::uint64_t l, const Interval& interval) { return l < interval.first_level; });
  return static_cast<std::size_t>(after - intervals_.begin()) - 1;
}

}  // namespace spillway
