#include "papers/states/part.h"

#include <algorithm>

#include "papers/storage/partitioned.h"
#include "papers/storage/state_cache.h"

namespace spillway {
namespace {

constexpr Tag kOld = 0;
constexpr Tag kNew = 1;

class PartitionSearch final : public Published {
  StateTable M{keys, bytes(sizes().table_bytes, 0.5)};  // of the partition being swept
  Partitioned<StateFile> D{keys};                       // visited states
  Partitioned<StateQueue> Q{rows};                      // states to look at, some of them twice
  std::optional<StateCache> sent;  // states that were pushed to other partitions
  std::uint64_t met = 0;
  PartCounts counts;

 public:
  PartitionSearch(Workbench& workbench, bool cache) : Published(workbench) {
    counts.table = M.capacity();
    if (cache) sent.emplace(keys, bytes(sizes().cache_bytes, 0.1), 4, [](State) {});
  }

  void search() override {                             // Search(), line 3
    for (const State s : initial()) push(Q.of(s), s);  // lines 4-6
    while (const auto i = longest_queue()) sweep(*i);  // lines 7-8, 18-19
    begin(met);
    end_level(0);
  }
  Counters counters() const override { return counts.list(); }

 private:
  void sweep(std::size_t i) {  // Select(i), line 9
    bool crowded = false;
    ++counts.sweeps;
    counts.longest = std::max(counts.longest, Q[i].size());
    load(i);                              // line 12
    while (const auto s = next(i)) {      // lines 11, 13
      if (M.contains(key(*s))) continue;  // line 14
      crowded = M.full();
      if (crowded) {
        Q[i].push(*s);
        break;
      }
      M.insert(key(*s), kNew);  // line 14
      explore(i, *s);           // line 15
    }
    for (const auto [g, tag] : M)  // line 17
      if (tag == kNew) {
        D[i].append(g);
        ++counts.visited;
      }
    D[i].release();
    M.clear();
    session.levels.have_stored(met);
    if (crowded) split(i);
  }

  void load(std::size_t i) {
    const Doing doing(Activity::detection);
    for (const State g : D[i].scan()) {
      M.insert(g, kOld);
      ++counts.read;
    }
  }

  // Once something was found or a limit was hit there is nothing more to do.
  std::optional<State> next(std::size_t i) {
    return session.levels.discarding() ? std::nullopt : Q[i].pop();
  }

  void explore(std::size_t i, State s) {  // Explore(i, s), line 20
    ++met;
    for (const State t : expand(s)) {  // line 21
      const std::size_t j = Q.of(t);   // line 22
      if (j == i ? M.contains(key(t)) : sent && !sent->insert(key(t))) continue;
      push(j, t);  // lines 23-24
    }
  }

  void push(std::size_t j, State t) {
    Q[j].push(t);
    ++counts.queued;
  }

  std::optional<std::size_t> longest_queue() {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < Q.count(); ++i)
      if (Q[i].size() > Q[longest].size()) longest = i;
    if (Q[longest].empty() || session.levels.discarding()) return std::nullopt;
    return longest;
  }

  void split(std::size_t i) {
    ++counts.splits;
    keys.partition().split(i);
    rows.partition().split(i);
    D[i].release();
    D[D.count() - 1].release();
  }
};

}  // namespace

std::unique_ptr<Search> make_part(const SearchContext& context, const PartSettings& settings) {
  return make_published(context, settings, Revisits::never, [settings](Workbench& workbench) {
    return std::make_unique<PartitionSearch>(workbench, settings.cache);
  });
}

std::unique_ptr<Search> make_part(const SearchContext& context) {
  return make_part(context, {{.open_blocks = 160, .partitions = 16}, false});
}
std::unique_ptr<Search> make_cached_part(const SearchContext& context) {
  return make_part(context, {{.open_blocks = 160, .partitions = 16}, true});
}

}  // namespace spillway
