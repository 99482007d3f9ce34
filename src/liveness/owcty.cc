#include "liveness/owcty.h"

#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

using SortedPlaces = std::unique_ptr<StateFile>;

class Owcty final : public DiskCyclesSearch {
  Store store = make_store(0, "places-");
  Store counted = make_store(1, "counted-");               // with the number of predecessors
  Store sourced = make_store(places.words(), "sourced-");  // with a predecessor
  std::uint64_t rounds = 0, levels_read = 0, eliminations = 0, eliminated = 0, remaining = 0;

 public:
  using DiskCyclesSearch::DiskCyclesSearch;

  void search() override {
    SortedPlaces S = reachable();
    for (std::uint64_t k = 0; !S->empty() && S->size() != k;) {
      k = S->size();
      ++rounds;
      S = behind_accepting_steps(*S);
      S = with_predecessors(*S);
      remaining = S->size();
    }
    if (!S->empty()) report_cycle(std::move(S));
  }

  Statistics statistics() const override {
    Statistics all = Search::statistics();
    all.counters = {{"rounds", rounds},
                    {"levels", levels_read},
                    {"eliminations", eliminations},
                    {"eliminated", eliminated},
                    {"remaining", remaining}};
    return all;
  }

 private:
  SortedPlaces reachable() {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store));
    for (const State place : places.initial()) levels.add(place.data());
    while (StateFile* const level = levels.next_level()) {
      ++levels_read;
      for (const State place : level->scan()) {
        have_stored(1);
        for (const PlaceStep& step : places.expand(place)) levels.add(step.to.data());
      }
    }
    SortedPlaces all = levels.take();
    count_once(*all);
    return all;
  }

  SortedPlaces behind_accepting_steps(StateFile& S) {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store), &S);
    for (const State place : S.scan())
      for (const PlaceStep& step : places.expand_again(place))
        if (step.accepting) levels.add(step.to.data());
    while (StateFile* const level = levels.next_level()) {
      ++levels_read;
      for (const State place : level->scan())
        for (const PlaceStep& step : places.expand_again(place))
          if (step.inside) levels.add(step.to.data());
    }
    return levels.take();
  }

  // Elimination.
  SortedPlaces with_predecessors(StateFile& S) {
    FileSort steps = make_sort(counted, EqualKeys::sum);
    add_steps(S, steps);
    SortedPlaces kept = std::make_unique<StateFile>(counted, "kept");
    SortedPlaces removed = std::make_unique<StateFile>(store, "removed");
    count_predecessors(S, *steps.sorted(), *kept, *removed);
    while (!removed->empty()) {
      ++eliminations;
      eliminated += removed->size();
      add_steps(*removed, steps);
      const SortedPlaces before = std::exchange(kept, std::make_unique<StateFile>(counted, "kept"));
      removed = std::make_unique<StateFile>(store, "removed");
      take_off(*before, *steps.sorted(), *kept, *removed);
    }
    auto all = std::make_unique<StateFile>(store, "kept");
    for (const State row : kept->scan()) all->append(row.first(places.words()));
    finish_writing(*all);
    return all;
  }

  void add_steps(StateFile& from, FileSort& steps) {
    constexpr Word kOne = 1;
    for (const State place : from.scan())
      for (const PlaceStep& step : places.expand_again(place))
        if (step.inside) steps.add(step.to.data(), &kOne);
  }

  void count_predecessors(StateFile& S, StateFile& steps, StateFile& kept, StateFile& removed) {
    MergedRows counts(counted, {&steps}, EqualKeys::sum);
    for (const State place : S.scan()) {
      if (const Word* const row = counts.find(place.data()))
        kept.append(State(row, counted.shape().words()));
      else
        removed.append(place);
    }
    finish_writing(kept);
    finish_writing(removed);
  }

  void take_off(StateFile& before, StateFile& steps, StateFile& kept, StateFile& removed) {
    MergedRows counts(counted, {&steps}, EqualKeys::sum);
    PlaceRow row;
    for (const State place : before.scan()) {
      row.assign(place.begin(), place.end());
      if (const Word* const less = counts.find(place.data())) {
        SPILLWAY_CHECK(less[places.words()] <= row.back());
        row.back() -= less[places.words()];
      }
      if (row.back() != 0)
        kept.append(row);
      else
        removed.append(place.first(places.words()));
    }
    finish_writing(kept);
    finish_writing(removed);
  }

  [[noreturn]] void report_cycle(SortedPlaces S) {
    for (;;) {
      const auto [from, to] = accepting_step(*S);
      if (const std::vector<PlaceRow> back = way_back(S, from, to); !back.empty()) {
        std::vector<PlaceRow> loop(back.begin() + 1, back.end());
        loop.push_back(to);
        report_loop(store, loop);
      }
    }
  }

  // An accepting step of S, the one with the least end.  REQUIRES: there is one.
  std::pair<PlaceRow, PlaceRow> accepting_step(StateFile& S) {
    FileSort sort = make_sort(sourced);
    for (const State place : S.scan())
      for (const PlaceStep& step : places.expand_again(place))
        if (step.accepting) sort.add(step.to.data(), place.data());
    const SortedPlaces ends = sort.sorted();
    MergedRows known(sourced, {ends.get()}, EqualKeys::greatest);
    for (const State place : S.scan())
      if (const Word* const row = known.find(place.data()))
        return {{row + places.words(), row + 2 * places.words()}, {place.begin(), place.end()}};
    throw Error(Fault::internal, "internal error: no accepting step is left behind a cycle");
  }

  // From the end of a step to its beginning, in S, with both ends.  If there is no way, what the
  // end reaches is removed from S.
  std::vector<PlaceRow> way_back(SortedPlaces& S, const PlaceRow& from, const PlaceRow& to) {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store), S.get(), true);
    levels.add(to.data());
    if (reaches(places, levels, from, Steps::inside))
      return way_to(places, levels, from, Steps::inside);
    const SortedPlaces behind = levels.take();
    auto rest = std::make_unique<StateFile>(store, "rest");
    MergedRows removed(store, {behind.get()}, EqualKeys::greatest);
    for (const State place : S->scan())
      if (removed.find(place.data()) == nullptr) rest->append(place);
    finish_writing(*rest);
    S = std::move(rest);
    return {};
  }
};

}  // namespace

std::unique_ptr<Search> make_owcty(const SearchContext& context,
                                   const DiskCyclesSettings& settings) {
  return std::make_unique<Owcty>(context, settings);
}

std::unique_ptr<Search> make_owcty(const SearchContext& context) {
  return make_owcty(context, DiskCyclesSettings{});
}

}  // namespace spillway
