#include "papers/cycles/owcty.h"

#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

using SortedSetStates = std::unique_ptr<StateFile>;

class Owcty final : public DiskCyclesSearch {
  Store store = make_store(0, "set-states-");
  Store counted = make_store(1, "counted-");                   // with the number of predecessors
  Store sourced = make_store(set_states.words(), "sourced-");  // with a predecessor
  std::uint64_t rounds = 0, levels_read = 0, eliminations = 0, eliminated = 0, remaining = 0;

 public:
  using DiskCyclesSearch::DiskCyclesSearch;

  void search() override {
    SortedSetStates S = reachable();
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
  SortedSetStates reachable() {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store));
    for (const State set_state : set_states.initial()) levels.add(set_state.data());
    while (StateFile* const level = levels.next_level()) {
      ++levels_read;
      for (const State set_state : level->scan()) {
        have_stored(1);
        for (const SetStateStep& step : set_states.expand(set_state)) levels.add(step.to.data());
      }
    }
    SortedSetStates all = levels.take();
    count_once(*all);
    return all;
  }

  SortedSetStates behind_accepting_steps(StateFile& S) {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store), &S);
    for (const State set_state : S.scan())
      for (const SetStateStep& step : set_states.expand_again(set_state))
        if (step.accepting) levels.add(step.to.data());
    while (StateFile* const level = levels.next_level()) {
      ++levels_read;
      for (const State set_state : level->scan())
        for (const SetStateStep& step : set_states.expand_again(set_state))
          if (step.inside) levels.add(step.to.data());
    }
    return levels.take();
  }

  // Elimination.
  SortedSetStates with_predecessors(StateFile& S) {
    FileSort steps = make_sort(counted, EqualKeys::sum);
    add_steps(S, steps);
    SortedSetStates kept = std::make_unique<StateFile>(counted, "kept");
    SortedSetStates removed = std::make_unique<StateFile>(store, "removed");
    count_predecessors(S, *steps.sorted(), *kept, *removed);
    while (!removed->empty()) {
      ++eliminations;
      eliminated += removed->size();
      add_steps(*removed, steps);
      const SortedSetStates before =
          std::exchange(kept, std::make_unique<StateFile>(counted, "kept"));
      removed = std::make_unique<StateFile>(store, "removed");
      take_off(*before, *steps.sorted(), *kept, *removed);
    }
    auto all = std::make_unique<StateFile>(store, "kept");
    for (const State row : kept->scan()) all->append(row.first(set_states.words()));
    finish_writing(*all);
    return all;
  }

  void add_steps(StateFile& from, FileSort& steps) {
    constexpr Word kOne = 1;
    for (const State set_state : from.scan())
      for (const SetStateStep& step : set_states.expand_again(set_state))
        if (step.inside) steps.add(step.to.data(), &kOne);
  }

  void count_predecessors(StateFile& S, StateFile& steps, StateFile& kept, StateFile& removed) {
    MergedRows counts(counted, {&steps}, EqualKeys::sum);
    for (const State set_state : S.scan()) {
      if (const Word* const row = counts.find(set_state.data()))
        kept.append(State(row, counted.shape().words()));
      else
        removed.append(set_state);
    }
    finish_writing(kept);
    finish_writing(removed);
  }

  void take_off(StateFile& before, StateFile& steps, StateFile& kept, StateFile& removed) {
    MergedRows counts(counted, {&steps}, EqualKeys::sum);
    SetStateRow row;
    for (const State set_state : before.scan()) {
      row.assign(set_state.begin(), set_state.end());
      if (const Word* const less = counts.find(set_state.data())) {
        SPILLWAY_CHECK(less[set_states.words()] <= row.back());
        row.back() -= less[set_states.words()];
      }
      if (row.back() != 0)
        kept.append(row);
      else
        removed.append(set_state.first(set_states.words()));
    }
    finish_writing(kept);
    finish_writing(removed);
  }

  [[noreturn]] void report_cycle(SortedSetStates S) {
    for (;;) {
      const auto [from, to] = accepting_step(*S);
      if (const std::vector<SetStateRow> back = way_back(S, from, to); !back.empty()) {
        std::vector<SetStateRow> loop(back.begin() + 1, back.end());
        loop.push_back(to);
        report_loop(store, loop);
      }
    }
  }

  // An accepting step of S, the one with the least end.  REQUIRES: there is one.
  std::pair<SetStateRow, SetStateRow> accepting_step(StateFile& S) {
    FileSort sort = make_sort(sourced);
    for (const State set_state : S.scan())
      for (const SetStateStep& step : set_states.expand_again(set_state))
        if (step.accepting) sort.add(step.to.data(), set_state.data());
    const SortedSetStates ends = sort.sorted();
    MergedRows known(sourced, {ends.get()}, EqualKeys::greatest);
    for (const State set_state : S.scan())
      if (const Word* const row = known.find(set_state.data()))
        return {{row + set_states.words(), row + 2 * set_states.words()},
                {set_state.begin(), set_state.end()}};
    throw Error(Fault::internal, "internal error: no accepting step is left behind a cycle");
  }

  // From the end of a step to its beginning, in S, with both ends.  If there is no way, what the
  // end reaches is removed from S.
  std::vector<SetStateRow> way_back(SortedSetStates& S, const SetStateRow& from,
                                    const SetStateRow& to) {
    FileSort sort = make_sort(store);
    DelayedLevels levels(store, sort, delayed(store), S.get(), true);
    levels.add(to.data());
    if (reaches(set_states, levels, from, Steps::inside))
      return way_to(set_states, levels, from, Steps::inside);
    const SortedSetStates behind = levels.take();
    auto rest = std::make_unique<StateFile>(store, "rest");
    MergedRows removed(store, {behind.get()}, EqualKeys::greatest);
    for (const State set_state : S->scan())
      if (removed.find(set_state.data()) == nullptr) rest->append(set_state);
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
