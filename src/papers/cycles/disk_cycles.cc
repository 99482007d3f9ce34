#include "papers/cycles/disk_cycles.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

DiskCyclesSearch::DiskCyclesSearch(const SearchContext& context, const DiskCyclesSettings& settings)
    : Search(context), set_states(context.session), settings_(settings) {}

// About 25 files are read or written at a time, with three blocks for each, and as many are so
// small that they stay in memory: together half of the budget, at most.
Store DiskCyclesSearch::make_store(std::size_t note_words, std::string_view label) {
  constexpr std::uint64_t kBlocks = 80;
  Store::Options options;
  options.label = label;
  options.block_bytes =
      std::clamp<std::size_t>(budget.limit() / 4 / kBlocks, 4 << 10, std::size_t{256} << 10);
  if (settings_.block_bytes != 0) options.block_bytes = settings_.block_bytes;
  options.rows_per_block = settings_.block_rows;
  options.partitions = 1;
  return {disk, budget, {set_states.words(), note_words}, options};
}

FileSort DiskCyclesSearch::make_sort(Store& store, EqualKeys equal) const {
  return {store, delayed(store).sort, equal};
}

DelayedSettings DiskCyclesSearch::delayed(const Store& store) const {
  const std::uint64_t rows = settings_.sort_rows != 0
                                 ? settings_.sort_rows
                                 : budget.limit() / 2 / FileSort::bytes_per_row(store.shape());
  return {{rows, settings_.fan_in}, settings_.most_runs};
}

void DiskCyclesSearch::count_once(StateFile& all) {
  Level once = expanders.tally();
  once.states = 0;
  once.digest = {};
  SetStateRow before;
  for (const State set_state : all.scan()) {
    const State state = set_states.row(set_state.first(set_states.words()));
    if (!before.empty() && equal(before, state)) continue;
    before.assign(state.begin(), state.end());
    ++once.states;
    once.digest.add(state);
  }
  once_ = once;
}

void DiskCyclesSearch::report_loop(Store& store, const std::vector<SetStateRow>& loop) {
  FileSort sort = make_sort(store);
  DelayedLevels levels(store, sort, delayed(store), nullptr, true);
  for (const State set_state : set_states.initial()) levels.add(set_state.data());
  const bool reached = reaches(set_states, levels, loop.back(), Steps::all);
  SPILLWAY_CHECK(reached);
  report_run(session, set_states, way_to(set_states, levels, loop.back(), Steps::all), loop);
}

}  // namespace spillway
