#include "search/ram/kept_levels.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "storage/levels/level_keeper.h"

namespace spillway {
namespace {

// Sorted states that can be looked up, each with a mark.
class Members {
 public:
  Members(const std::vector<Word>& rows, std::size_t words)
      : states_(rows.data(), rows.size() / words, words),
        order_(states_.size()),
        taken_(states_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return less(states_[a], states_[b]); });
  }
  // Whether `state` is a member that was not taken before; it is now.
  bool take(State state) {
    const auto place =
        std::lower_bound(order_.begin(), order_.end(), state,
                         [&](std::size_t i, State s) { return less(states_[i], s); });
    if (place == order_.end() || !equal(states_[*place], state) || taken_[*place]) return false;
    return taken_[*place] = true;
  }
  std::size_t size() const { return order_.size(); }

 private:
  States states_;
  std::vector<std::size_t> order_;
  std::vector<bool> taken_;
};

void append(std::vector<Word>& rows, State state) {
  rows.insert(rows.end(), state.begin(), state.end());
}

}  // namespace

void KeptLevels::each_at_depth(std::uint64_t depth,
                               const std::function<void(unsigned, State)>& visit) {
  const std::size_t index = tags_.interval_of(depth);
  const LevelTags::Interval& interval = tags_.intervals()[index];
  if (interval.levels == 1 && interval.states > window_rows_) {  // wide: do not collect
    scan_table_(crew_, [&](unsigned worker, Tag tag, State state) {
      if (tag == interval.tag) visit(worker, state);
    });
    return;
  }
  if (!in_window(depth)) fill_window(index, depth == first_level_ + window_.size());
  const Rows& rows = window_[depth - first_level_];
  deal_out(crew_, {rows.data(), rows.size() / steps_.words(), steps_.words()}, visit);
}

// The interval and as many as the window holds: those after it if levels are read in order, and
// otherwise those before it, because traces are made backwards.
void KeptLevels::fill_window(std::size_t interval, bool in_order) {
  const std::vector<LevelTags::Interval>& all = tags_.intervals();
  std::size_t first = interval;
  std::size_t last = interval;
  std::uint64_t states = all[interval].states;
  const auto fits = [&](std::size_t i) { return states + all[i].states <= window_rows_; };
  while (in_order && last + 1 < all.size() && fits(last + 1)) states += all[++last].states;
  while (!in_order && first > 0 && fits(first - 1)) states += all[--first].states;
  window_.clear();
  first_level_ = all[first].first_level;
  const std::vector<Rows> collected = collect(first, last);
  for (std::size_t i = first; i <= last; ++i) {
    if (all[i].levels == 1) {
      window_.push_back(collected[i - first]);
      continue;
    }
    std::vector<Rows> levels = tell_apart(i, collected[i - first]);
    std::move(levels.begin(), levels.end(), std::back_inserter(window_));
  }
}

std::vector<KeptLevels::Rows> KeptLevels::collect(std::size_t first, std::size_t last) {
  const std::vector<LevelTags::Interval>& all = tags_.intervals();
  std::vector<std::vector<Rows>> found(crew_.size(), std::vector<Rows>(last - first + 1));
  scan_table_(crew_, [&](unsigned worker, Tag tag, State state) {
    if (tag >= all[first].tag && tag <= all[last].tag)
      append(found[worker][static_cast<std::size_t>(tag - all[first].tag)], state);
  });
  for (unsigned worker = 1; worker < crew_.size(); ++worker)
    for (std::size_t i = 0; i < found[0].size(); ++i)
      found[0][i].insert(found[0][i].end(), found[worker][i].begin(), found[worker][i].end());
  return std::move(found[0]);
}

// Successors of the interval before, or the initial states.
std::vector<KeptLevels::Rows> KeptLevels::entered_from_before(std::size_t interval) {
  std::vector<Successors> successors(crew_.size(), Successors(steps_.words()));
  std::vector<Rows> entered(crew_.size());
  if (interval == 0) {
    steps_.initial(successors[0]);
    for (const State state : successors[0].states()) append(entered[0], state);
    return entered;
  }
  const LevelTags::Interval& before = tags_.intervals()[interval - 1];
  scan_table_(crew_, [&](unsigned worker, Tag tag, State state) {
    if (tag != before.tag) return;
    successors[worker].clear();
    steps_.successors(state, successors[worker]);
    for (const State t : successors[worker].states()) append(entered[worker], t);
  });
  return entered;
}

std::vector<KeptLevels::Rows> KeptLevels::tell_apart(std::size_t interval, const Rows& rows) {
  Members members(rows, steps_.words());
  const std::uint64_t wanted = tags_.intervals()[interval].levels;
  std::vector<Rows> levels(1);
  for (const Rows& entered : entered_from_before(interval))
    for (const State state :
         States(entered.data(), entered.size() / steps_.words(), steps_.words()))
      if (members.take(state)) append(levels[0], state);
  Successors successors(steps_.words());
  std::uint64_t told = levels[0].size();
  while (levels.size() < wanted) {
    Rows next;
    const Rows& current = levels.back();
    for (const State state :
         States(current.data(), current.size() / steps_.words(), steps_.words())) {
      successors.clear();
      steps_.successors(state, successors);
      for (const State t : successors.states())
        if (members.take(t)) append(next, t);
    }
    told += next.size();
    levels.push_back(std::move(next));
  }
  SPILLWAY_CHECK(told == rows.size());
  return levels;
}

}  // namespace spillway
