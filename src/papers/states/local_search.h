// The search that LOCAL and DBF are; see local.h for the algorithm.
#pragma once

#include "papers/states/local.h"

namespace spillway {

template <class Table>
class LocalSearch : public Published {
 public:
  LocalSearch(Workbench& workbench, const LocalSettings& settings)
      : Published(workbench),
        full(static_cast<std::uint64_t>(static_cast<double>(M.capacity() - 1) *
                                        (settings.table.open ? settings.table.fill : 1)) +
             1),
        locality(with_blocks(settings.locality)) {
    counts.full = full;
  }

  void search() override {
    for (const State s : initial()) insert(s);
    check();
    begin(Q_ck->next_size());
    while (Q_ck->advance()) expand_level();
  }
  Counters counters() const override { return counts.list(); }

 protected:
  // Expands what is left of the current level.
  void expand_level() {
    survivors = proven = 0;
    while (const auto s = Q_ck->pop())
      for (const State t : expand(*s)) insert(t);
    check();
    careful = survivors > 0 && proven == 0;
    end_level(Q_ck->next_size());
  }

  Table M{keys, bytes(sizes().table_bytes, 0.75)};  // states that are not checked
  // states that are, some of them twice
  std::unique_ptr<StateFile> D = std::make_unique<StateFile>(keys, "visited");
  StateQueue Q_unck{rows, "unchecked"};
  std::unique_ptr<LevelQueue> Q_ck = std::make_unique<LevelQueue>(rows);

 private:
  void insert(State t) {
    if (!M.insert(key(t))) return;
    ++counts.candidates;
    Q_unck.push(t);
    if (M.size() >= full) check();
  }

  void check() {
    const Doing doing(Activity::detection);
    for (const Locality::Slice& slice : locality.choose(D->size(), careful)) {
      ++counts.blocks;
      counts.read += slice.last - slice.first;
      const std::uint64_t before = M.size();
      for (const State g : D->scan(slice.first, slice.last)) M.erase(g);
      locality.deleted(slice, before - M.size());
    }
    locality.end_check();
    ++counts.checks;
    counts.calibrations += locality.calibrating() ? 1 : 0;
    counts.careful += careful ? 1 : 0;
    Q_unck.drain([&](State t) {
      if (!M.erase(key(t))) return;
      D->append(key(t));
      ++counts.visited;
      Q_ck->push(t);
      ++survivors;
      if (locality.calibrating()) ++proven;
    });
  }

  LocalitySettings with_blocks(LocalitySettings settings) const {
    if (settings.block_rows == 0) settings.block_rows = M.capacity() / 4 + 1;
    return settings;
  }

  const std::uint64_t full;
  Locality locality;
  std::uint64_t survivors = 0;  // of checks in this level
  std::uint64_t proven = 0;     // of them, that are new without doubt
  bool careful = false;         // nothing proven in the level before: all checks read all of D
  LocalCounts counts;
};

}  // namespace spillway
