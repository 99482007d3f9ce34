#include "storage/states/state_cache.h"

#include <algorithm>

namespace spillway {

StateCache::StateCache(Store& store, std::uint64_t bytes, unsigned ways, Spill spill)
    : shape_(store.shape()), ways_(ways), spill_(std::move(spill)) {
  const std::size_t sets = std::max<std::size_t>(1, bytes / ((shape_.bytes() + 1) * ways));
  capacity_ = sets * ways;
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
  const std::uint8_t* free = std::find(conditions_ + place, conditions_ + place + ways_, empty);
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

void StateCache::write_back() {
  for (std::size_t i = 0; i < capacity_; ++i) hand_out(i);
}

void StateCache::clear() { std::fill_n(conditions_, capacity_, empty); }

}  // namespace spillway
