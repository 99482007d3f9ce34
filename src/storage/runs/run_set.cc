#include "storage/runs/run_set.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace spillway {
namespace {

// The least t for which fan_in to the power of t + 1 is above `rows`: runs of a tier are of similar
// size.
std::size_t tier_of(std::uint64_t rows, std::uint64_t fan_in) {
  std::size_t tier = 0;
  for (; rows >= fan_in; rows /= fan_in) ++tier;
  return tier;
}
constexpr std::size_t kMostTiers = 65;

template <std::size_t W>
MergeSources<W> views_of(const std::vector<SortedRun<W>>& runs) {
  MergeSources<W> views;
  for (const SortedRun<W>& run : runs) views.runs.push_back(&run);
  return views;
}

// Nobody needs the sources any more.
template <std::size_t W>
MergeSources<W> spent(RowSources<W>& sources) {
  MergeSources<W> views = views_of(sources.runs);
  for (SortedRun<W>& run : sources.runs) views.spent.push_back(&run);
  views.arrays = std::move(sources.arrays);
  return views;
}

// Merges some of these runs if that is what it takes for one thread to merge all of them at once.
// False: nothing is left to merge.
template <std::size_t W>
bool halve(Team<W>& team, std::vector<SortedRun<W>>& runs) {
  if (runs.size() <= 2) return false;
  merge_smallest(team, runs, std::max<std::size_t>(2, runs.size() / 2), Sources::spent);
  return true;
}

}  // namespace

template <std::size_t W>
SortedRun<W> merge_rows(Team<W>& team, RowSources<W> sources) {
  while (bytes_to_merge(team, views_of(sources.runs)) > team.certain_bytes() &&
         halve(team, sources.runs)) {
  }
  return merge_runs(team, spent(sources));
}

template <std::size_t W>
std::uint64_t RunSet<W>::size() const {
  std::uint64_t rows = 0;
  for (const SortedRun<W>& run : runs_) rows += run.size();
  return rows;
}

// The newest first: it has most of the rows that are not new.
template <std::size_t W>
RunViews<W> RunSet<W>::views() const {
  RunViews<W> all;
  for (std::size_t i = runs_.size(); i-- > 0;) all.push_back(&runs_[i]);
  return all;
}

template <std::size_t W>
SortedRun<W> RunSet<W>::subtract(RowSources<W> from, MergeObserver* observer) {
  make_fit(from.runs);
  return subtract_runs(team_, spent(from), views(), observer);
}

// One thread must be able to read all runs of the sources and of the set at once.
template <std::size_t W>
void RunSet<W>::make_fit(std::vector<SortedRun<W>>& from) {
  while (bytes_to_subtract(team_, views_of(from), views()) > team_.certain_bytes()) {
    if (halve(team_, from)) continue;
    if (runs_.size() <= 3) return;
    reduce_older(std::max<std::size_t>(2, runs_.size() / 2));
  }
}

template <std::size_t W>
void RunSet<W>::reduce_older(std::size_t most) {
  if (runs_.size() <= most + 1) return;
  SortedRun<W> newest = std::move(runs_.back());
  runs_.pop_back();
  const auto put_back = [&] { runs_.push_back(std::move(newest)); };
  try {
    merge_smallest(team_, runs_, most, sources_, history_);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

template <std::size_t W>
void RunSet<W>::merge_tiers() {
  const auto tier = [&](const SortedRun<W>& run) { return tier_of(run.size() + 1, tiers_.fan_in); };
  std::vector<std::size_t> of_tier(kMostTiers);
  for (std::size_t i = 0; i + 1 < runs_.size(); ++i) ++of_tier[tier(runs_[i])];
  std::optional<std::size_t> full;  // the highest tier that has as many as are merged
  for (std::size_t i = 0; i < kMostTiers; ++i)
    if (of_tier[i] >= tiers_.fan_in) full = i;
  if (full) {
    SortedRun<W> newest = std::move(runs_.back());
    runs_.pop_back();
    std::vector<SortedRun<W>> similar;
    std::vector<SortedRun<W>> rest;
    for (SortedRun<W>& run : runs_) (tier(run) <= *full ? similar : rest).push_back(std::move(run));
    const auto put_back = [&] {
      runs_ = std::move(rest);
      for (SortedRun<W>& run : similar) runs_.push_back(std::move(run));
      runs_.push_back(std::move(newest));
    };
    try {
      merge_smallest(team_, similar, 1, sources_, history_);
    } catch (...) {
      put_back();
      throw;
    }
    put_back();
  }
  reduce_older(tiers_.most_runs);
}

template <std::size_t W>
void RunSet<W>::join_newest() {
  std::vector<SortedRun<W>> two;
  for (int i = 0; i < 2; ++i) {
    two.push_back(std::move(runs_.back()));
    runs_.pop_back();
  }
  merge_smallest(team_, two, 1, sources_, history_);
  runs_.push_back(std::move(two[0]));
}

#define SPILLWAY_WIDTH(W)   \
  template class RunSet<W>; \
  template SortedRun<W> merge_rows(Team<W>&, RowSources<W>);
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
