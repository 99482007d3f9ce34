#include "papers/states/dddd.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "papers/states/dddd_forecast.h"
#include "papers/states/level_file.h"
#include "papers/states/share.h"
#include "papers/storage/partitioned.h"
#include "papers/storage/state_cache.h"

namespace spillway {
namespace {

constexpr Tag kMostDelayed = 250;

class Dddd final : public Published {
  Partitioned<StateFile> Q{rows};  // states to expand
  Partitioned<StateFile> T{rows};  // their successors, some of them twice
  std::vector<std::unique_ptr<LevelFile>>
      C;  // states of levels l+1 .. l+n-1, expanded, some of them twice
  std::vector<std::unique_ptr<LevelFile>> V;  // states of levels up to l, each once
  // of a partition; the tag of a state of level l+i is i
  StateTable H{rows, bytes(sizes().table_bytes, 0.4)};
  StateCache Cache{rows, bytes(sizes().cache_bytes, 0.25), 8, [this](State t) { T[t].append(t); }};
  std::uint64_t l = 0;  // levels before this one are in V; the current one is l+n, counted from 1
  Tag n = 0;
  Forecast forecast;
  std::map<std::uint64_t, std::uint64_t> seen_lengths;  // of backward transitions, and how often
  std::vector<std::uint64_t> lengths;                   // the most frequent ones
  std::vector<std::uint64_t> measured;                  // sizes of levels l+1 .. l+n
  std::uint64_t candidates = 0;                         // of the current level
  std::uint64_t delayed = 0;                            // of them, after a partial detection
  double different = 1;                                 // of the successors in T
  DdddCounts counts;
  const DdddSettings settings;

 public:
  Dddd(Workbench& workbench, const DdddSettings& s) : Published(workbench), settings(s) {
    for (std::size_t i = 0; i < Q.count(); ++i) {
      C.push_back(std::make_unique<LevelFile>(rows, "candidates"));
      V.push_back(std::make_unique<LevelFile>(keys, "visited"));
    }
  }

  void search() override {
    for (const State s : initial()) Cache.insert(s);
    merge();
    begin(Q.size());
    while (Q.size() > 0) {
      expand_level();
      merge();
      end_level(Q.size());
    }
    session.lookout.announce(fmt::format("{} detections in {} levels, error of the forecast {:.2f}",
                                         counts.detections, l + n, forecast.error()));
  }
  Counters counters() const override { return counts.list(); }

 private:
  void expand_level() {  // EXPAND()
    for (std::size_t i = 0; i < Q.count(); ++i)
      for (const State s : Q[i].scan())
        for (const State t : expand(s)) Cache.insert(t);
  }

  void merge() {  // MERGE()
    const Doing doing(Activity::detection);
    Cache.write_back();
    ++n;
    const std::uint64_t successors = T.size();
    ++counts.merges;
    counts.candidates += successors;
    const bool detect = detecting();  // line 1
    measured.assign(n, 0);
    candidates = delayed = 0;
    for (std::size_t i = 0; i < V.size(); ++i) {  // line 2
      Q[i].clear();                               // line 3
      merge(i, {}, detect);
      T[i].clear();
      if (detect) C[i]->clear();  // line 11
    }
    if (successors > 0)
      different = static_cast<double>(candidates) / static_cast<double>(successors);
    if (!detect) return forecast.delay(static_cast<double>(delayed));
    forecast.measure(measured);
    choose_lengths();
    ++counts.detections;
    l += n;
    n = 0;
  }

  void merge(std::size_t i, Share share, bool detect) {
    if (!gather(i, share, detect)) {
      ++counts.halvings;
      merge(i, share.first_half(), detect);
      merge(i, share.second_half(), detect);
      return;
    }
    if (detect) {
      V[i]->each([&](std::uint64_t level, State v) { erase(level, v); });  // line 9
      counts.read += V[i]->size() + C[i]->size();
      for (Tag k = 1; k <= n; ++k)  // line 10
        for (const auto [t, tag] : H)
          if (tag == k) {
            V[i]->append(l + k, key(t));
            ++counts.visited;
            ++measured[k - 1];
          }
    } else {
      detect_partially(i);
      delayed += H.size();
      counts.delayed += H.size();
      for (const auto [t, tag] : H) C[i]->append(l + n, t);  // lines 5-6
    }
    for (const auto [t, tag] : H)    // line 12
      if (tag == n) Q[i].append(t);  // line 13
  }

  // Takes a share of T[i], and of C[i] for a detection, into H; false: they do not fit.
  bool gather(std::size_t i, Share share, bool detect) {
    H.clear();
    bool fits = true;
    const auto put = [&](State t, Tag tag) {
      if (!share.has(key(t))) return;
      if (const TableFound found = H.find(t)) {
        if (tag == n && *found.tag < n) note(l + *found.tag);
      } else if (H.full()) {
        fits = false;
      } else {
        H.insert(t, tag);
      }
    };
    // line 8
    if (detect)
      C[i]->each([&](std::uint64_t level, State t) { put(t, static_cast<Tag>(level - l)); });
    const std::uint64_t before = H.size();
    for (const State t : T[i].scan()) put(t, n);  // line 4
    if (fits) candidates += H.size() - before;
    return fits;
  }

  void detect_partially(std::size_t i) {
    for (const std::uint64_t length : lengths) {
      const std::uint64_t from = l + n - 1;
      if (length >= from) continue;  // there is no such level
      const std::uint64_t level = from - length;
      const auto look = [&](State v) {
        ++counts.partly_read;
        counts.partly_found += erase(level, v) ? 1 : 0;
      };
      V[i]->each_of(level, look);
      C[i]->each_of(level, look);
      ++counts.partial;
    }
  }

  bool erase(std::uint64_t level, State v) {
    const TableFound found = H.find(v);
    if (!found) return false;
    if (*found.tag == n) note(level);
    return H.erase(v);
  }

  // A transition of the level before leads back to this one.
  void note(std::uint64_t level) { ++seen_lengths[l + n - 1 - level]; }

  void choose_lengths() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by_count;
    for (const auto& [length, count] : seen_lengths) by_count.emplace_back(count, length);
    std::ranges::sort(by_count, std::greater());
    lengths.clear();
    for (const auto& [count, length] : by_count)
      if (lengths.size() < settings.lengths) lengths.push_back(length);
  }

  bool detecting() const {
    if (n == kMostDelayed) return true;
    if (settings.forced) return settings.forced(l + n);
    if (!forecast.ready()) return true;
    std::uint64_t stored = 0;
    for (std::size_t i = 0; i < V.size(); ++i) stored += C[i]->size() + V[i]->size();
    return !forecast.delaying(static_cast<double>(T.size()) * different,
                              static_cast<double>(stored), degree());
  }

  double degree() const {
    const Statistics& so_far = session.levels.counts();
    return so_far.states == 0
               ? 0
               : static_cast<double>(so_far.transitions) / static_cast<double>(so_far.states);
  }
};

}  // namespace

std::unique_ptr<Search> make_dddd(const SearchContext& context, const DdddSettings& settings) {
  return make_published(context, settings, Revisits::possible, [settings](Workbench& workbench) {
    return std::make_unique<Dddd>(workbench, settings);
  });
}

std::unique_ptr<Search> make_dddd(const SearchContext& context) {
  DdddSettings settings;
  settings.open_blocks = 160;
  settings.partitions = 16;
  return make_dddd(context, settings);
}

}  // namespace spillway
