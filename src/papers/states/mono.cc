#include "papers/states/mono.h"

namespace spillway {
namespace {

template <class Table>
class Mono final : public Published {
  Table M{keys, bytes(sizes().table_bytes, 0.75)};  // states that are not checked
  StateFile D{keys, "visited"};                     // states that are
  StateQueue Q_unck{rows, "unchecked"};
  LevelQueue Q_ck{rows};
  const std::uint64_t full;
  MonoCounts counts;

 public:
  Mono(Workbench& workbench, double fill)
      : Published(workbench),
        full(static_cast<std::uint64_t>(static_cast<double>(M.capacity() - 1) * fill) + 1) {
    counts.full = full;
  }

  void search() override {
    for (const State s : initial()) insert(s);
    check();
    begin(Q_ck.next_size());
    while (Q_ck.advance()) {
      while (const auto s = Q_ck.pop())
        for (const State t : expand(*s)) insert(t);
      check();
      end_level(Q_ck.next_size());
    }
  }
  Counters counters() const override { return counts.list(); }

 private:
  void insert(State t) {
    if (!M.insert(key(t))) return;
    ++counts.candidates;
    Q_unck.push(t);
    if (M.size() >= full) check();
  }

  void check() {
    const Doing doing(Activity::detection);
    ++counts.checks;
    for (const State g : D.scan()) {
      M.erase(g);
      ++counts.read;
    }
    Q_unck.drain([&](State t) {
      if (!M.erase(key(t))) return;
      D.append(key(t));
      ++counts.visited;
      Q_ck.push(t);
    });
  }
};

}  // namespace

std::unique_ptr<Search> make_mono(const SearchContext& context, const MonoSettings& settings) {
  return make_published(
      context, settings, Revisits::never,
      [table = settings.table](Workbench& workbench) -> std::unique_ptr<Published> {
        if (table.open) return std::make_unique<Mono<OpenStateTable>>(workbench, table.fill);
        return std::make_unique<Mono<StateTable>>(workbench, 1.0);
      });
}

std::unique_ptr<Search> make_mono(const SearchContext& context) { return make_mono(context, {}); }

}  // namespace spillway
