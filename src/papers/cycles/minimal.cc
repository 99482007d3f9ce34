#include "papers/cycles/minimal.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "papers/cycles/set_state_ways.h"
#include "papers/cycles/through_seed.h"
#include "papers/storage/state_file.h"

namespace spillway {
namespace {

class Minimal final : public NumberedStatesSearch {
  const std::size_t queue_rows;

 public:
  Minimal(const SearchContext& context, const MakeExternalBfs& make_bfs, const MinimalSettings& s)
      : NumberedStatesSearch(context, make_bfs, s), queue_rows(s.queue_rows) {}

  void search() override {
    bfs->search();
    if (stored() == 0) return;
    const InPhase deciding(lookout, Phase::deciding);
    PerfectHash hash = make_hash();
    bfs->free_visited();
    Depths depths(budget, hash.size(), levels_found());
    for (std::uint64_t depth = 0; depth < levels_found(); ++depth)
      each_of_level(depth, [&](State state) { depths.set(hash(state), depth); });
    decide(hash, depths);
  }

 private:
  void decide(PerfectHash& hash, const Depths& depths) {
    SetStateNumbers numbers(hash, set_states);
    BitVector visited(budget, numbers.size());
    Store plain = make_store({set_states.words(), 0}, "set-states-");
    Store with_source = make_store({set_states.words(), set_states.words()}, "sources-");
    Store with_length = make_store({set_states.words() + 1, 0}, "lengths-");
    StateFile accept(plain, "accepting");
    find_accepting(accept);
    FileSort queue(with_length, {rows_in_queue(with_length.shape())}, EqualKeys::greatest);
    ThroughSeed through({set_states, numbers, depths, visited, plain, with_source, queue});

    std::uint64_t tried = 0;
    std::optional<ShortLasso> best;
    for (const State seed : accept.scan()) {
      const std::uint64_t bound = best ? best->length : std::numeric_limits<std::uint64_t>::max();
      if (depths[hash(set_states.row(seed))] + 1 >= bound) break;
      ++tried;
      if (std::optional<ShortLasso> found = through.search(seed, bound)) best = std::move(found);
    }
    note(hash);
    count("accepting", accept.size());
    count("accepting_tried", tried);
    count("accepting_on_cycles", through.seeds_on_cycles());
    if (!best) return;
    const auto path = [&](State from, State to, FirstStep first) {
      return layered_path(set_states, numbers, visited, plain, from, to, first);
    };
    std::vector<std::vector<Word>> loop = path(best->seed, best->first, FirstStep::accepting);
    if (best->first != best->seed) {
      const std::vector<std::vector<Word>> to_seed = path(best->first, best->seed, FirstStep::any);
      loop.insert(loop.begin(), to_seed.begin(), to_seed.end());
    }
    const std::uint64_t depth = depths[hash(set_states.row(best->first))];
    SPILLWAY_CHECK(depth + loop.size() == best->length);
    if (set_states.sets() > 1)
      lookout.announce(
          "this run is a shortest one of those whose loop meets the acceptance sets in order");
    report(best->first, loop, depth, set_states.sets() == 1);
  }

  // All set states that an accepting step leaves, by depth.
  void find_accepting(StateFile& accept) {
    std::vector<Word> set_state(set_states.words());
    for (std::uint64_t depth = 0; depth < levels_found(); ++depth)
      each_of_level(depth, [&](State state) {
        if (!model.acceptance().marks_steps() && !model.acceptance().accepting(state)) return;
        std::ranges::copy(state, set_state.end() - static_cast<std::ptrdiff_t>(state.size()));
        for (unsigned set = 0; set < set_states.sets(); ++set) {
          if (set_states.sets() > 1) set_state[0] = set;
          if (std::ranges::any_of(set_states.expand_again(set_state), &SetStateStep::accepting))
            accept.append(State(set_state));
        }
      });
  }

  std::size_t rows_in_queue(const Shape& shape) const {
    if (queue_rows != 0) return queue_rows;
    return std::max<std::uint64_t>(16, std::min(budget.left() / 8 / FileSort::bytes_per_row(shape),
                                                stored() * set_states.sets()));
  }
};

}  // namespace

std::unique_ptr<Search> make_minimal(const SearchContext& context, const MakeExternalBfs& make_bfs,
                                     const MinimalSettings& settings) {
  return std::make_unique<Minimal>(context, make_bfs, settings);
}

}  // namespace spillway
