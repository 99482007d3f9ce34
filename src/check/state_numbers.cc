#include "check/state_numbers.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"

namespace spillway {

void StateNumbers::add(State state) {
  Part& part = parts_[added_++ % parts_.size()];
  if (part.count % kRows == 0) {
    part.claims.emplace_back(budget_, kRows * (words_ * sizeof(Word) + sizeof(Word*)));
    part.chunks.push_back(std::make_unique<Word[]>(kRows * words_));
  }
  std::ranges::copy(state, part.chunks.back().get() + part.count % kRows * words_);
  ++part.count;
}

void StateNumbers::sort(Crew& crew) {
  if (added_ >= UINT32_MAX)
    throw Error(Fault::memory, "there are too many states to decide acceptance in memory");
  const std::size_t places = added_ + added_ / 2 + 1;
  claim_ = Claim(budget_, added_ * sizeof(Word*) + places * sizeof(StateNumber));
  crew.each([&](unsigned worker) {
    for (std::size_t i = worker; i < parts_.size(); i += crew.size()) sort(parts_[i]);
  });
  merge();
  index_ = std::vector<std::atomic<StateNumber>>(places);
  index(crew);
}

void StateNumbers::sort(Part& part) const {
  part.sorted.reserve(part.count);
  for (std::uint64_t i = 0; i < part.count; ++i)
    part.sorted.push_back(part.chunks[i / kRows].get() + i % kRows * words_);
  std::ranges::sort(part.sorted, [this](const Word* a, const Word* b) {
    return less(State(a, words_), State(b, words_));
  });
}

void StateNumbers::merge() {
  sorted_.reserve(added_);
  std::vector<std::size_t> next(parts_.size());
  while (sorted_.size() < added_) {
    const Word* least = nullptr;
    std::size_t of = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (next[i] == parts_[i].count) continue;
      const Word* row = parts_[i].sorted[next[i]];
      if (least != nullptr && !less(State(row, words_), State(least, words_))) continue;
      least = row;
      of = i;
    }
    sorted_.push_back(least);
    ++next[of];
  }
  for (Part& part : parts_) std::vector<const Word*>().swap(part.sorted);
}

void StateNumbers::index(Crew& crew) {
  crew.each([&](unsigned worker) {
    for (std::uint64_t i = worker; i < sorted_.size(); i += crew.size()) {
      const auto number = static_cast<StateNumber>(i);
      std::size_t place = place_of(place_hash(sorted_[i], words_), index_.size());
      for (StateNumber free = 0; !index_[place].compare_exchange_strong(free, number + 1); free = 0)
        if (++place == index_.size()) place = 0;
    }
  });
}

std::optional<StateNumber> StateNumbers::find(State state) const {
  std::size_t place = place_of(place_hash(state.data(), words_), index_.size());
  for (StateNumber found = index_[place].load(std::memory_order_relaxed); found != 0;
       found = index_[place].load(std::memory_order_relaxed)) {
    if (equal(row(found - 1), state)) return found - 1;
    if (++place == index_.size()) place = 0;
  }
  return std::nullopt;
}

}  // namespace spillway
