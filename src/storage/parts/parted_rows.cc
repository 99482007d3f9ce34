#include "storage/parts/parted_rows.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace spillway {

PartedRows::PartedRows(Budget& budget, RowParts parts, const PartedSettings& settings)
    : parts_(std::move(parts)),
      settings_(settings),
      words_(std::max(kLeastWords, (parts_.size() + 1) / 2)),
      young_(budget, words_, settings.hash_bits) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::size_t words = parts_.value_words(part);
    most_words_ = std::max(most_words_, words);
    columns_.push_back(std::make_unique<Column>(budget, words, settings.hash_bits));
  }
}

State PartedRows::whole(State row, Hand& hand) const {
  const State before(hand.row_);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::uint32_t of_part = number(row, part);
    if (of_part == number(before, part)) continue;
    if (of_part >= columns_[part]->settled()) {
      hand.row_.assign(words_, ~Word{0});
      throw Error(Fault::integrity, "corrupt row: a part of it has a value that is not known");
    }
    parts_.scatter(columns_[part]->value(of_part), part, hand.whole_.data());
  }
  std::copy_n(row.data(), words_, hand.row_.data());
  return hand.whole_;
}

bool PartedRows::shorten(State whole, Hand& hand, Word* row) {
  const bool is_first = hand.row_[0] == ~Word{0};
  std::uint64_t parts =
      is_first ? ~std::uint64_t{0} >> (64 - parts_.size()) : parts_.differing(whole, hand.whole_);
  if (is_first)
    std::fill_n(row, words_, 0);
  else
    std::copy_n(hand.row_.data(), words_, row);
  bool is_young = false;
  for (; parts != 0; parts &= parts - 1) {
    const auto part = static_cast<std::size_t>(std::countr_zero(parts));
    parts_.gather(whole, part, hand.value_.data());
    const std::uint32_t of_part = columns_[part]->find_or_add(hand.value_.data());
    is_young = is_young || of_part >= columns_[part]->settled();
    set_number(row, part, of_part);
  }
  if (--hand.until_check_ == 0) {
    hand.until_check_ = settings_.check_one_in;
    check(whole, {row, words_});
  }
  if (!is_young) return true;
  const std::lock_guard lock(mutex_);
  young_.add(row);
  return false;
}

// A row that means another state would be a wrong verdict.
void PartedRows::check(State whole, State row) const {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::uint32_t of_part = number(row, part);
    if (of_part < columns_[part]->settled() &&
        !parts_.has(whole, part, columns_[part]->value(of_part)))
      throw Error(Fault::internal, "internal error: a short row does not mean its state");
  }
}

void PartedRows::settle() {
  for (const auto& column : columns_) {
    const std::uint32_t before = column->settled();
    settled_.push_back({before, column->settle()});
  }
}

States PartedRows::take_young(std::size_t most) {
  if (settled_.empty()) {
    if (young_.size() == 0) return {};
    settle();
  }
  const auto count =
      static_cast<std::uint32_t>(std::min<std::size_t>(most, young_.size() - taken_));
  taking_.resize(count * words_);
  for (std::uint32_t i = 0; i < count; ++i) {
    Word* const row = taking_.data() + i * words_;
    std::copy_n(young_[taken_ + i], words_, row);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::uint32_t provisional = number({row, words_}, part);
      const Settled& settled = settled_[part];
      if (provisional >= settled.before)
        set_number(row, part, settled.numbers[provisional - settled.before]);
    }
  }
  taken_ += count;
  if (count == 0) forget_young();
  return {taking_.data(), count, words_};
}

void PartedRows::settle_values() {
  for (const auto& column : columns_) column->settle();
  forget_young();
}

void PartedRows::forget_young() {
  for (const auto& column : columns_) column->forget_young();
  young_.clear();
  settled_.clear();
  taken_ = 0;
}

std::uint64_t PartedRows::values() const {
  std::uint64_t sum = 0;
  for (const auto& column : columns_) sum += column->settled();
  return sum;
}

}  // namespace spillway
