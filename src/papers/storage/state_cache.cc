#include "papers/storage/state_cache.h"

#include <algorithm>

namespace spillway {
namespace {

constexpr std::size_t kFirstSets = 1024;

}  // namespace

StateCache::StateCache(Store& store, std::uint64_t bytes, unsigned ways, Spill spill)
    : shape_(store.shape()), ways_(ways), spill_(std::move(spill)) {
  const std::size_t sets = std::max<std::size_t>(1, bytes / ((shape_.bytes() + 1) * ways));
  capacity_ = sets * ways;
  while (sets_in_use() > kFirstSets) ++shared_;
  pages_ = table_pages(store.budget(), capacity_ * (shape_.bytes() + 1), "a cache of states");
  rows_ = reinterpret_cast<Word*>(pages_.data());
  conditions_ = reinterpret_cast<std::uint8_t*>(rows_ + capacity_ * shape_.words());
}

const Word* StateCache::find(const Word* of) const {
  const std::size_t first = first_way(of);
  for (std::size_t i = first; i < first + ways_; ++i)
    if (conditions_[i] != empty && equal({row(i), shape_.key}, {of, shape_.key})) return row(i);
  return nullptr;
}

bool StateCache::insert(State given) {
  if (contains(given)) return false;
  std::size_t place = first_way(given.data());
  const auto find_free = [&] {
    return std::find(conditions_ + place, conditions_ + place + ways_, empty);
  };
  const std::uint8_t* free = find_free();
  while (free == conditions_ + place + ways_ && shared_ != 0) {
    share_less();
    place = first_way(given.data());
    free = find_free();
  }
  if (free != conditions_ + place + ways_) {
    place = static_cast<std::size_t>(free - conditions_);
  } else {
    place += forgotten_++ % ways_;
    hand_out(place);
  }
  std::ranges::copy(given, row(place));
  conditions_[place] = fresh;
  return true;
}

void StateCache::hand_out(std::size_t i) {
  if (conditions_[i] != fresh) return;
  spill_({row(i), shape_.words()});
  conditions_[i] = handed_out;
}

void StateCache::find_places(std::size_t set, std::vector<std::size_t>& places) const {
  places.clear();
  for (std::size_t i = set * ways_; i < (set + 1) * ways_; ++i)
    if (conditions_[i] != empty) places.push_back(i);
  if (shared_ != 0)
    std::ranges::stable_sort(places, {}, [this](std::size_t i) { return set_of(row(i)); });
}

// Half as many sets share the ways of one.  Nothing has been evicted yet, so the states of a set
// are in the order in which they came, and stay in it.  Each set makes way for earlier ones.
void StateCache::share_less() {
  std::vector<Word> moved;
  std::vector<std::uint8_t> conditions;
  std::size_t set = sets_in_use();
  --shared_;
  while (set-- > 0) {
    moved.clear();
    conditions.clear();
    for (std::size_t i = set * ways_; i < (set + 1) * ways_; ++i) {
      if (conditions_[i] == empty) continue;
      moved.insert(moved.end(), row(i), row(i) + shape_.words());
      conditions.push_back(conditions_[i]);
      conditions_[i] = empty;
    }
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      const Word* const from = moved.data() + k * shape_.words();
      std::size_t to = first_way(from);
      while (conditions_[to] != empty) ++to;
      std::copy_n(from, shape_.words(), row(to));
      conditions_[to] = conditions[k];
    }
  }
}

void StateCache::write_back() {
  std::vector<std::size_t> places;
  for (std::size_t set = 0; set < sets_in_use(); ++set) {
    find_places(set, places);
    for (const std::size_t i : places) hand_out(i);
  }
}

void StateCache::clear() { std::fill_n(conditions_, sets_in_use() * ways_, empty); }

}  // namespace spillway
