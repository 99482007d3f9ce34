#include "papers/states/hddd.h"

#include "papers/states/share.h"
#include "papers/storage/partitioned.h"

namespace spillway {
namespace {

class Hddd final : public Published {
  StateTable Cache{rows, bytes(sizes().cache_bytes, 0.25)};  // candidates
  StateTable H{rows, bytes(sizes().table_bytes, 0.4)};       // candidates of a partition
  Partitioned<StateFile> Q{rows};                            // states to expand
  Partitioned<StateFile> C{rows};                            // candidates
  Partitioned<StateFile> V{keys};                            // visited states
  HdddCounts counts;

 public:
  using Published::Published;

  void search() override {
    for (const State s : initial()) add(s);
    detect();
    begin(Q.size());
    while (Q.size() > 0) {
      expand_level();
      detect();
      end_level(Q.size());
    }
  }
  Counters counters() const override { return counts.list(); }

 private:
  void expand_level() {
    for (std::size_t i = 0; i < Q.count(); ++i)
      for (const State s : Q[i].scan())
        for (const State t : expand(s)) add(t);
  }

  void add(State t) {
    if (Cache.full() && !Cache.contains(t)) {
      ++counts.flushes;
      flush();
    }
    Cache.insert(t);
  }

  void flush() {
    counts.candidates += Cache.size();
    for (const auto [t, tag] : Cache) C[t].append(t);
    Cache.clear();
  }

  void detect() {
    const Doing doing(Activity::detection);
    flush();
    ++counts.detections;
    for (std::size_t i = 0; i < C.count(); ++i) {
      Q[i].clear();
      detect(i, {});
      C[i].clear();
    }
  }

  void detect(std::size_t i, Share share) {
    if (!gather(i, share)) {
      ++counts.halvings;
      detect(i, share.first_half());
      detect(i, share.second_half());
      return;
    }
    counts.gathered += C[i].size();
    for (const State v : V[i].scan()) {
      H.erase(v);
      ++counts.read;
    }
    for (const auto [t, tag] : H) {
      V[i].append(key(t));
      ++counts.visited;
      Q[i].append(t);
    }
  }

  // Takes a share of the candidates into H; false: they do not fit.
  bool gather(std::size_t i, Share share) {
    H.clear();
    for (const State t : C[i].scan()) {
      if (!share.has(key(t))) continue;
      if (H.full() && !H.contains(t)) return false;
      H.insert(t);
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<Search> make_hddd(const SearchContext& context, const Sizes& sizes) {
  return make_published(context, sizes, Revisits::never,
                        [](Workbench& workbench) { return std::make_unique<Hddd>(workbench); });
}

std::unique_ptr<Search> make_hddd(const SearchContext& context) {
  return make_hddd(context, {.open_blocks = 128, .partitions = 16});
}

}  // namespace spillway
