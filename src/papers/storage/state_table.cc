#include "papers/storage/state_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

constexpr std::size_t kFirstPlaces = 1024;

[[noreturn]] void refuse_full(std::uint64_t capacity) {
  throw Error(Fault::usage,
              fmt::format("a table for {} states is full: raise --memory", with_commas(capacity)));
}

}  // namespace

// ------------------------------------------------------------------------------------------------------

StateTable::StateTable(Store& store, std::uint64_t bytes) : shape_(store.shape()) {
  const std::size_t each = shape_.bytes() + 2 * sizeof(Link) + sizeof(Tag);
  capacity_ = std::clamp<std::uint64_t>(bytes / each, 1, 0xffffffffu - 1);
  places_ = std::min(capacity_, kFirstPlaces);
  pages_ = table_pages(store.budget(), capacity_ * each, "a table of states");
  rows_ = reinterpret_cast<Word*>(pages_.data());
  heads_ = reinterpret_cast<Link*>(rows_ + capacity_ * shape_.words());
  next_ = heads_ + capacity_;
  tags_ = reinterpret_cast<Tag*>(next_ + capacity_);
}

StateTable::Link StateTable::find_slot(const Word* of) const {
  Link slot = head(of);
  while (slot != 0 && !same(row(slot - 1), of)) slot = next_[slot - 1];
  return slot;
}

bool StateTable::insert(State given, Tag tag) {
  if (contains(given)) return false;
  if (full()) refuse_full(capacity_);
  if (size_ == places_) add_places();
  std::ranges::copy(given, row(size_));
  Link& first = head(given.data());
  next_[size_] = first;
  tags_[size_] = tag;
  first = static_cast<Link>(++size_);
  return true;
}

// Twice as many, as long as there is room for them.
void StateTable::add_places() {
  places_ = places_ < capacity_ / 2 ? 2 * places_ : capacity_;
  std::fill_n(heads_, places_, 0);
  for (std::size_t i = 0; i < size_; ++i) {
    Link& first = head(row(i));
    next_[i] = first;
    first = static_cast<Link>(i + 1);
  }
}

TableFound StateTable::find(State given) {
  const Link slot = find_slot(given.data());
  if (slot == 0) return {};
  Word* const found = row(slot - 1);
  return {{found, shape_.words()}, {found + shape_.key, shape_.note}, &tags_[slot - 1]};
}

// The link that leads to a filled slot.
StateTable::Link& StateTable::link_to(Link slot) const {
  Link* link = &head(row(slot - 1));
  while (*link != slot) link = &next_[*link - 1];
  return *link;
}

bool StateTable::erase(State given) {
  const Link slot = find_slot(given.data());
  if (slot == 0) return false;
  Link& link = link_to(slot);
  link = next_[slot - 1];
  const auto last = static_cast<Link>(size_--);
  if (slot == last) return true;
  link_to(last) = slot;  // the last row fills the gap
  std::copy_n(row(last - 1), shape_.words(), row(slot - 1));
  next_[slot - 1] = next_[last - 1];
  tags_[slot - 1] = tags_[last - 1];
  return true;
}

// A table with little in it is cleared row by row: some searches clear it often.
void StateTable::clear() {
  if (size_ < places_ / 16)
    for (std::size_t i = 0; i < size_; ++i) head(row(i)) = 0;
  else
    std::fill_n(heads_, places_, 0);
  size_ = 0;
}

// ------------------------------------------------------------------------------------------------------

OpenStateTable::OpenStateTable(Store& store, std::uint64_t bytes)
    : shape_(store.shape()),
      capacity_(std::max<std::uint64_t>(1, bytes * 8 / ((shape_.bytes() + sizeof(Tag)) * 8 + 1))),
      pages_(table_pages(store.budget(), capacity_ * (shape_.bytes() + sizeof(Tag)),
                         "a table of states")),
      filled_(store.budget(), capacity_),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      tags_(reinterpret_cast<Tag*>(rows_ + capacity_ * shape_.words())),
      carried_(shape_.words()) {}

// No row behind one that has come less far can be the one that is looked for.
std::size_t OpenStateTable::find_slot(const Word* of) const {
  std::size_t i = home(of);
  for (std::size_t come = 0; come < capacity_ && filled(i) && distance(i) >= come;
       ++come, i = after(i))
    if (equal({row(i), shape_.key}, {of, shape_.key})) return i;
  return capacity_;
}

bool OpenStateTable::insert(State given, Tag tag) {
  if (contains(given)) return false;
  if (full()) refuse_full(capacity_);
  std::ranges::copy(given, carried_.begin());
  carried_tag_ = tag;
  put(home(given.data()), 0);
  ++size_;
  return true;
}

// Puts the carried row, which has come so far, into slot i or behind it, and so on with the row it
// takes the place of.
void OpenStateTable::put(std::size_t i, std::size_t come) {
  for (; filled(i); ++come, i = after(i)) {
    const std::size_t other = distance(i);
    if (other >= come) continue;
    std::swap_ranges(carried_.begin(), carried_.end(), row(i));
    std::swap(carried_tag_, tags_[i]);
    come = other;
  }
  std::ranges::copy(carried_, row(i));
  tags_[i] = carried_tag_;
  filled_.set(i);
}

TableFound OpenStateTable::find(State given) {
  const std::size_t i = find_slot(given.data());
  if (i == capacity_) return {};
  return {{row(i), shape_.words()}, {row(i) + shape_.key, shape_.note}, &tags_[i]};
}

bool OpenStateTable::erase(State given) {
  std::size_t i = find_slot(given.data());
  if (i == capacity_) return false;
  for (std::size_t next = after(i); next != i && filled(next) && distance(next) > 0;
       i = next, next = after(i)) {
    std::copy_n(row(next), shape_.words(), row(i));
    tags_[i] = tags_[next];
  }
  filled_.reset(i);
  --size_;
  return true;
}

void OpenStateTable::clear() {
  filled_.clear();
  size_ = 0;
}

}  // namespace spillway
