#include "papers/cycles/numbered_states.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/error.h"

namespace spillway {

NumberedStatesSearch::NumberedStatesSearch(const SearchContext& context,
                                           const MakeExternalBfs& make_bfs,
                                           const NumberedSettings& s)
    : LevelSearch(context),
      bfs(make_bfs(
          {session, of_bfs, crew, disk, {}, Checkpoints::none(), context.with_acceptance})),
      settings(s) {
  settings.hash.on_disk = settings.hash.on_disk || context.hash_on_disk;
}

bool NumberedStatesSearch::each_visited(const std::function<void(State)>& visit) {
  for (std::uint64_t depth = 0; depth < levels_found(); ++depth) each_of_level(depth, visit);
  return true;
}

Statistics NumberedStatesSearch::statistics() const {
  Statistics all = LevelSearch::statistics();
  all.counters = counters_;
  return all;
}

PerfectHash NumberedStatesSearch::make_hash() {
  return PerfectHash(
      budget, disk, bfs->stored(),
      [this](const std::function<void(State)>& visit) { bfs->each_visited(visit); }, settings.hash,
      [this] { lookout.look_up(); });
}

Store NumberedStatesSearch::make_store(Shape shape, std::string_view label) {
  Store::Options options;
  options.label = label;
  options.rows_per_block = settings.block_rows;
  options.block_bytes =
      std::clamp<std::size_t>(budget.limit() / 512 / kSector * kSector, kSector, 256 << 10);
  return Store(disk, budget, shape, options);
}

void NumberedStatesSearch::each_of_level(std::uint64_t depth,
                                         const std::function<void(State)>& visit) {
  std::mutex mutex;
  level_reader()->each_at_depth(depth, [&](unsigned, State state) {
    const std::lock_guard lock(mutex);
    visit(state);
  });
}

std::uint64_t NumberedStatesSearch::depth_of(State row) {
  for (std::uint64_t depth = 0; depth <= levels_found(); ++depth) {
    std::atomic<bool> found{false};
    level_reader()->each_at_depth(depth, [&](unsigned, State state) {
      if (equal(state, row)) found.store(true);
    });
    if (found.load()) return depth;
    lookout.look_up();
  }
  throw Error(Fault::internal, "internal error: a state of an accepting cycle is in no level");
}

void NumberedStatesSearch::report(const std::vector<Word>& first,
                                  const std::vector<std::vector<Word>>& loop, std::uint64_t depth,
                                  bool minimal) {
  const auto row = [this](const std::vector<Word>& set_state) {
    const State state = set_states.row(set_state);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{PropertyKind::acceptance, 0, depth, row(first)};
  for (const std::vector<Word>& set_state : loop) finding.loop.push_back(row(set_state));
  finding.minimal = minimal;
  session.findings.add(std::move(finding));
}

void NumberedStatesSearch::note(const PerfectHash& hash) {
  counters_.clear();
  count("hash_memory_bytes", hash.memory_bytes());
  count("hash_disk_bytes", hash.disk_bytes());
  count("hash_reads", hash.reads());
}

}  // namespace spillway
