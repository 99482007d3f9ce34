#include "papers/cycles/ioemc.h"

#include <algorithm>
#include <utility>

#include "papers/cycles/cached_detection.h"
#include "papers/cycles/dynamic_path.h"
#include "papers/cycles/set_state_ways.h"
#include "papers/cycles/set_states.h"

namespace spillway {
namespace {

// The note of an entry of the first path: the step to look at, and whether the search has gone to
// its end.
constexpr Word note_of(std::size_t step, bool gone) { return step * 2 + (gone ? 1 : 0); }

class Ioemc final : public Search {
  static constexpr DynamicPath::Stack kFirst = DynamicPath::outer, kSecond = DynamicPath::inner;

  const IoemcSettings settings;
  SetStates set_states;
  const std::size_t words = set_states.words();
  Store entries, records;
  CachedDetection visited, visited_again;
  DynamicPath path;
  SetStateRow current, other_set_state;
  bool is_fresh = false;  // the state on top of the first path has not been expanded
  std::uint64_t stored_states = 0, second_searches = 0;

 public:
  Ioemc(const SearchContext& context, const IoemcSettings& chosen)
      : Search(context),
        settings(chosen),
        set_states(context.session),
        entries(disk, budget, {words, 1}, store_options("path-", block_bytes(64 << 10), 0)),
        records(disk, budget, {words, 1},
                store_options("visited-", block_bytes(16 << 10), settings.block_records)),
        visited(records, detection()),
        visited_again(records, detection()),
        path(entries, path_entries(), settings.rho2) {}

  void search() override {
    std::vector<SetStateRow> initial;
    for (const State set_state : set_states.initial())
      initial.emplace_back(set_state.begin(), set_state.end());
    for (const SetStateRow& set_state : initial) {
      if (!visit(set_state)) continue;
      path.push(kFirst, set_state, note_of(0, false));
      search_first();
    }
  }

  std::uint64_t stored() const override { return stored_states; }
  bool decides_acceptance() const override { return true; }

  Statistics statistics() const override {
    Statistics all = Search::statistics();
    const DetectionCounts first = visited.counts(), second = visited_again.counts();
    const PathCounts& of_path = path.counts();
    all.counters = {{"second_searches", second_searches},
                    {"visited_again", visited_again.size()},
                    {"detections", first.lookups + second.lookups},
                    {"in_memory", first.in_memory + second.in_memory},
                    {"merges", first.merges + second.merges},
                    {"merged", first.moved + second.moved},
                    {"read_blocks", first.read_blocks + second.read_blocks},
                    {"written_blocks", first.written_blocks + second.written_blocks},
                    {"looked_up_blocks", first.looked_up_blocks + second.looked_up_blocks},
                    {"deepest", of_path.deepest},
                    {"path_spills", of_path.spills},
                    {"path_reloads", of_path.reloads},
                    {"path_moved", of_path.moved}};
    return all;
  }

 private:
  static Store::Options store_options(std::string_view label, std::size_t block_bytes,
                                      std::size_t block_rows) {
    Store::Options options;
    options.label = label;
    options.block_bytes = block_bytes;
    options.rows_per_block = block_rows;
    options.partitions = 1;
    return options;
  }

  // Less if there is little memory, of which buffers must not take much.
  std::size_t block_bytes(std::size_t most) const {
    return std::clamp<std::size_t>(budget.limit() / 2048, kSector, most);
  }
  // Nine tenths of the memory as in the paper, the rest for buffers and first hashes.
  std::uint64_t part(double share) const {
    return static_cast<std::uint64_t>(static_cast<double>(budget.limit()) * 0.9 * share);
  }
  DetectionSettings detection() const {
    // What is on its way to disk takes room twice, besides the states.
    const std::uint64_t bytes =
        RecentStates::bytes_per_record(words + 1) +
        static_cast<std::uint64_t>(2.5 * settings.rho1 * static_cast<double>(words + 1) * 8);
    return {.recent = settings.recent != 0 ? settings.recent : part(0.25) / bytes,
            .rho = settings.rho1};
  }
  std::uint64_t path_entries() const {
    return settings.path != 0 ? settings.path : part(0.5) / entries.shape().bytes();
  }

  // By the first search.  False: it has been visited.
  bool visit(State set_state) {
    if (!visited.insert(set_state)) return false;
    is_fresh = !has_other_place(set_state);
    if (is_fresh) ++stored_states;
    return true;
  }

  // Whether the state has been visited with another number of sets.
  bool has_other_place(State set_state) {
    if (set_states.sets() == 1) return false;
    other_set_state.assign(set_state.begin(), set_state.end());
    for (Word set = 0; set < set_states.sets(); ++set) {
      other_set_state[0] = set;
      if (set != set_state[0] && visited.contains(other_set_state)) return true;
    }
    return false;
  }

  void search_first() {
    while (!path.empty(kFirst)) {
      const std::span<const Word> top = path.top(kFirst);
      current.assign(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(words));
      const Word note = top[words];
      const bool first_time = std::exchange(is_fresh, false) && note == note_of(0, false);
      go_on(first_time ? set_states.expand(current) : set_states.expand_again(current), note / 2,
            (note & 1) != 0);
    }
  }

  // Looks at the steps from one on, until the search goes somewhere else.
  void go_on(const std::vector<SetStateStep>& steps, std::size_t step, bool gone) {
    for (; step < steps.size(); ++step, gone = false) {
      const SetStateStep& taken = steps[step];
      if (!gone && visit(taken.to)) {
        path.top(kFirst)[words] = note_of(step, true);
        return path.push(kFirst, taken.to, note_of(0, false));
      }
      if (!taken.accepting) continue;
      if (equal(taken.to, current)) report({});
      if (!visited_again.insert(taken.to)) continue;
      path.top(kFirst)[words] = note_of(step + 1, false);
      path.push(kSecond, taken.to, 0);
      return search_second();
    }
    path.pop(kFirst);
  }

  // From the end of an accepting step of `current`.
  void search_second() {
    ++second_searches;
    const SetStateRow goal = current;
    while (!path.empty(kSecond)) {
      const std::span<const Word> top = path.top(kSecond);
      current.assign(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(words));
      const std::vector<SetStateStep>& steps = set_states.expand_again(current);
      std::size_t step = top[words];
      while (step < steps.size() && !is_entered(steps[step], goal)) ++step;
      if (step == steps.size()) {
        path.pop(kSecond);
        continue;
      }
      path.top(kSecond)[words] = step + 1;
      path.push(kSecond, steps[step].to, 0);
    }
  }

  bool is_entered(const SetStateStep& step, const SetStateRow& goal) {
    if (!step.inside) return false;
    if (equal(step.to, goal)) report(path.take(kSecond));
    return visited_again.insert(step.to);
  }

  // The second path leads back to the end of the first.
  [[noreturn]] void report(std::vector<SetStateRow> loop) {
    const std::vector<SetStateRow> stem = path.take(kFirst);
    loop.push_back(stem.back());
    report_run(session, set_states, stem, loop);
  }
};

}  // namespace

std::unique_ptr<Search> make_ioemc(const SearchContext& context, const IoemcSettings& settings) {
  return std::make_unique<Ioemc>(context, settings);
}

std::unique_ptr<Search> make_ioemc(const SearchContext& context) {
  return make_ioemc(context, IoemcSettings{});
}

}  // namespace spillway
