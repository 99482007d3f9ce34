// Sets of states in memory, of a fixed size, with a byte per state for the search: H and M of the
// papers.
//
// StateTable chains rows with the same slot.  It takes 9 bytes per row besides the row, is a few ns
// slower, and stays fast when full.  OpenStateTable uses open addressing (Robin Hood).  It takes 1
// 1/8 bytes besides the row, but is slow above nine tenths.
//
// Both draw their full size from the budget at once.  A StateTable touches only as much of it as
// its rows need, so a search of few states is as fast with much memory as with little.  An
// OpenStateTable touches all of it.  Two rows are the same if their key words are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash/hash.h"
#include "base/memory/pages.h"
#include "papers/storage/store.h"
#include "storage/bits/bit_vector.h"
#include "storage/table/table_entry.h"

namespace spillway {

class StateTable {
 public:
  explicit StateTable(Store& store) : StateTable(store, store.options().table_bytes) {}
  // As many rows as fit into `bytes`, at least one.
  StateTable(Store& store, std::uint64_t bytes);

  // False if it was there already; the entry is unchanged then.  Throws Error(usage) if the table
  // is full.
  bool insert(State row, Tag tag = 0);
  bool contains(State row) const { return find_slot(row.data()) != 0; }
  TableFound find(State row);
  bool erase(State row);  // false if it was not there
  void clear();

  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::uint64_t capacity() const { return capacity_; }

  // In the order of insertion, as long as nothing was erased.
  TableIterator<StateTable> begin() const { return {*this, 0}; }
  TableIterator<StateTable> end() const { return {*this, size_}; }
  std::size_t slots() const { return size_; }
  bool filled(std::size_t) const { return true; }
  TableEntry entry(std::size_t i) const { return {{row(i), shape_.words()}, tags_[i]}; }

 private:
  using Link = std::uint32_t;  // a slot plus one; 0: none

  Word* row(std::size_t i) const { return rows_ + i * shape_.words(); }
  Link& head(const Word* of) const { return heads_[place_of(place_hash(of, shape_.key), places_)]; }
  bool same(const Word* a, const Word* b) const { return equal({a, shape_.key}, {b, shape_.key}); }
  Link find_slot(const Word* of) const;
  Link& link_to(Link slot) const;
  void add_places();

  const Shape shape_;
  std::size_t capacity_;
  std::size_t places_;  // heads in use
  Pages pages_;
  Word* rows_;
  Link* heads_;
  Link* next_;
  Tag* tags_;
  std::size_t size_ = 0;
};

class OpenStateTable {
 public:
  explicit OpenStateTable(Store& store) : OpenStateTable(store, store.options().table_bytes) {}
  OpenStateTable(Store& store, std::uint64_t bytes);

  // As in StateTable.
  bool insert(State row, Tag tag = 0);
  bool contains(State row) const { return find_slot(row.data()) != capacity_; }
  TableFound find(State row);
  bool erase(State row);
  void clear();

  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::uint64_t capacity() const { return capacity_; }

  // Approximately in the order of hashes.
  TableIterator<OpenStateTable> begin() const { return {*this, 0}; }
  TableIterator<OpenStateTable> end() const { return {*this, capacity_}; }
  std::size_t slots() const { return capacity_; }
  bool filled(std::size_t i) const { return filled_.get(i); }
  TableEntry entry(std::size_t i) const { return {{row(i), shape_.words()}, tags_[i]}; }

 private:
  Word* row(std::size_t i) const { return rows_ + i * shape_.words(); }
  std::size_t home(const Word* of) const { return place_of(place_hash(of, shape_.key), capacity_); }
  std::size_t after(std::size_t i) const { return i + 1 == capacity_ ? 0 : i + 1; }
  // Distance of the row in a filled slot from its home.
  std::size_t distance(std::size_t i) const {
    const std::size_t from = home(row(i));
    return i >= from ? i - from : i + capacity_ - from;
  }
  std::size_t find_slot(const Word* of) const;
  void put(std::size_t i, std::size_t come);

  const Shape shape_;
  std::size_t capacity_;
  Pages pages_;
  BitVector filled_;
  Word* rows_;
  Tag* tags_;
  std::vector<Word> carried_;  // a row that is being placed
  Tag carried_tag_ = 0;
  std::size_t size_ = 0;
};

}  // namespace spillway
