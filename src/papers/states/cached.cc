#include "papers/states/cached.h"

#include <fmt/format.h>

#include "base/text/quantity.h"
#include "papers/storage/state_cache.h"

namespace spillway {
namespace {

class Cached final : public LeavableCached {
  const CachedSettings settings;
  StateCache T{keys, bytes(sizes().table_bytes, 0.75), settings.ways, [](State) {}};
  std::unique_ptr<LevelQueue> Q = std::make_unique<LevelQueue>(rows);
  std::uint64_t insertions = 0;

 public:
  Cached(Workbench& workbench, const CachedSettings& s) : LeavableCached(workbench), settings(s) {}

  void search() override {
    if (search_until_crowded()) return;
    session.lookout.announce(
        fmt::format("{} of {} states were forgotten: too many to continue with a cache",
                    with_commas(T.forgotten()), with_commas(insertions)));
    session.lookout.finish(Stop::memory);
  }

  bool search_until_crowded() override {
    for (const State s : initial()) insert(s);
    begin(Q->next_size());
    while (Q->advance()) {
      for (;;) {
        if (crowded()) return false;
        const auto s = Q->pop();
        if (!s) break;
        for (const State t : expand(*s)) insert(t);
      }
      end_level(Q->next_size());
    }
    return true;
  }
  Counters counters() const override {
    return CachedCounts{T.capacity(), insertions, T.forgotten()}.list();
  }

  // States of the queue are visited as well, even if the cache has forgotten them.
  Dump dump() override {
    Dump dump{std::make_unique<StateFile>(keys, "visited"), std::make_unique<LevelQueue>(rows)};
    T.each([&](State g) { dump.D->append(g); });
    const auto copy_level = [&] {
      while (const auto s = Q->pop()) {
        dump.D->append(key(*s));
        dump.Q->push(*s);
      }
    };
    copy_level();
    dump.Q->advance();
    Q->advance();
    copy_level();
    return dump;
  }

 private:
  void insert(State t) {
    if (!T.insert(key(t))) return;
    ++insertions;
    Q->push(t);
  }

  bool crowded() const {
    return session.expansions() >= settings.leave_states ||
           (T.forgotten() > 0 &&
            static_cast<double>(T.forgotten()) >= settings.gamma * static_cast<double>(insertions));
  }
};

}  // namespace

std::unique_ptr<LeavableCached> make_leavable_cached(Workbench& workbench,
                                                     const CachedSettings& settings) {
  return std::make_unique<Cached>(workbench, settings);
}

std::unique_ptr<Search> make_cached(const SearchContext& context, const CachedSettings& settings) {
  return make_published(context, settings, Revisits::possible, [settings](Workbench& workbench) {
    return make_leavable_cached(workbench, settings);
  });
}

std::unique_ptr<Search> make_cached(const SearchContext& context) {
  return make_cached(context, {});
}

}  // namespace spillway
