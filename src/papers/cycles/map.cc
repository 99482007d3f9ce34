#include "papers/cycles/map.h"

#include "base/error.h"

namespace spillway {
namespace {

class Map final : public DiskCyclesSearch {
  // A value is a set state and 1, or zeros: none.
  const std::size_t words = set_states.words();
  const SetStateRow none = SetStateRow(words + 1);
  Store store = make_store(0, "set-states-");
  Store valued = make_store(words + 1, "valued-");
  std::unique_ptr<StateFile> removed = std::make_unique<StateFile>(store, "removed");
  std::optional<SetStateRow> own;  // a set state that is its own greatest predecessor
  std::uint64_t rounds = 0, levels_read = 0, propagated = 0;

 public:
  using DiskCyclesSearch::DiskCyclesSearch;

  void search() override {
    do {
      ++rounds;
      propagate();
      if (own) report_cycle(*own);
    } while (remove_candidates());
  }

  Statistics statistics() const override {
    Statistics all = Search::statistics();
    all.counters = {{"rounds", rounds},
                    {"levels", levels_read},
                    {"propagated", propagated},
                    {"removed", removed->size()}};
    return all;
  }

 private:
  std::unique_ptr<StateFile> m;

  void propagate() {
    FileSort sort = make_sort(valued);
    DelayedLevels levels(valued, sort, delayed(valued));
    for (const State set_state : set_states.initial()) levels.add(set_state.data(), none.data());
    while (StateFile* const level = levels.next_level()) {
      ++levels_read;
      MergedRows gone(store, {removed.get()}, EqualKeys::greatest);
      for (const State row : level->scan()) {
        const bool counts = gone.find(row.data()) == nullptr;
        if (!look_at(row.first(words), row.subspan(words), counts, levels)) break;
      }
      if (own) break;
    }
    m = levels.take();
    if (rounds == 1) count_once(*m);
  }

  // False: there is a cycle.
  bool look_at(State from, State value, bool counts, DelayedLevels& levels) {
    ++propagated;
    SetStateRow itself(from.begin(), from.end());
    itself.push_back(1);
    const bool greater = less(value, itself);
    if (rounds == 1) have_stored(1);
    for (const SetStateStep& step :
         rounds == 1 ? set_states.expand(from) : set_states.expand_again(from)) {
      State x = step.inside ? value : State(none);
      if (step.accepting && counts && greater) x = itself;
      if (x.back() != 0 && equal(x.first(words), step.to)) {
        own.emplace(step.to.begin(), step.to.end());
        return false;
      }
      levels.add(step.to.data(), x.data());
    }
    return true;
  }

  // False: there was none.
  bool remove_candidates() {
    FileSort sort = make_sort(store);
    for (const State row : m->scan())
      if (row.back() != 0) sort.add(row.data() + words);
    const std::unique_ptr<StateFile> greatest = sort.sorted();
    if (greatest->empty()) return false;
    removed = merged(store, {removed.get(), greatest.get()}, EqualKeys::greatest);
    return true;
  }

  [[noreturn]] void report_cycle(const SetStateRow& start) {
    m.reset();
    report_loop(store, cycle_through(start));
  }

  // From an accepting step on, up to the set state itself.
  std::vector<SetStateRow> cycle_through(const SetStateRow& start) {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store), nullptr, true);
    for (const SetStateStep& step : set_states.expand_again(start))
      if (step.accepting) levels.add(step.to.data());
    const bool closes = reaches(set_states, levels, start, Steps::inside);
    SPILLWAY_CHECK(closes);
    return way_to(set_states, levels, start, Steps::inside);
  }
};

}  // namespace

std::unique_ptr<Search> make_map(const SearchContext& context, const DiskCyclesSettings& settings) {
  return std::make_unique<Map>(context, settings);
}

std::unique_ptr<Search> make_map(const SearchContext& context) {
  return make_map(context, DiskCyclesSettings{});
}

}  // namespace spillway
