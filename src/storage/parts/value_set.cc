#include "storage/parts/value_set.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/hash/long_hash.h"

namespace spillway {
namespace {

constexpr std::size_t kChunkWords = 1 << 13;
constexpr std::size_t kFirstSlots = 1 << 6;

}  // namespace

ValueSet::ValueSet(Budget& budget, std::size_t words, unsigned hash_bits)
    : budget_(budget),
      words_(words),
      chunk_bits_(words < kChunkWords
                      ? static_cast<unsigned>(std::bit_width(kChunkWords / words)) - 1U
                      : 0U),
      hash_bits_(hash_bits) {}

std::uint32_t ValueSet::hash_of(const Word* value) const {
  return static_cast<std::uint32_t>(long_hash(value, words_) >> (64 - hash_bits_));
}

bool ValueSet::is(Slot slot, std::uint32_t hash, const Word* value) const {
  if (slot >> 32 != hash) return false;
  const Word* const there = (*this)[static_cast<Number>(slot) - 1];
  for (std::size_t i = 0; i < words_; ++i)
    if (value[i] != there[i]) return false;
  return true;
}

std::size_t ValueSet::place(std::uint32_t hash, const Word* value) const {
  std::size_t at = home(hash);
  while (slots_[at] != 0 && !is(slots_[at], hash, value)) at = (at + 1) & (slots_.size() - 1);
  return at;
}

ValueSet::Number ValueSet::find(const Word* value) const {
  if (size_ == 0) return kNone;
  const Slot slot = slots_[place(hash_of(value), value)];
  return static_cast<Number>(slot) - 1;
}

std::pair<ValueSet::Number, bool> ValueSet::add(const Word* value) {
  if (2 * (std::size_t{size_} + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(value);
  const std::size_t at = place(hash, value);
  if (slots_[at] != 0) return {static_cast<Number>(slots_[at]) - 1, false};
  if (size_ == kNone - 1) throw Error(Fault::memory, "a part of a state has too many values");
  if (size_ == chunks_.size() * chunk_values()) {
    claims_.emplace_back(budget_, chunk_values() * words_ * sizeof(Word));
    chunks_.push_back(std::make_unique_for_overwrite<Word[]>(chunk_values() * words_));
  }
  std::copy_n(value, words_, chunks_.back().get() + (size_ & (chunk_values() - 1)) * words_);
  slots_[at] = Slot{hash} << 32 | ++size_;
  return {size_ - 1, true};
}

void ValueSet::grow() {
  const std::size_t count = std::max(kFirstSlots, 2 * slots_.size());
  Claim claim(budget_, count * sizeof(Slot));
  std::vector<Slot> old(count);
  old.swap(slots_);
  for (const Slot slot : old) {
    if (slot == 0) continue;
    std::size_t at = home(static_cast<std::uint32_t>(slot >> 32));
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
  of_slots_ = std::move(claim);
}

void ValueSet::clear() {
  size_ = 0;
  chunks_.clear();
  claims_.clear();
  std::vector<Slot>().swap(slots_);
  of_slots_ = {};
}

}  // namespace spillway
