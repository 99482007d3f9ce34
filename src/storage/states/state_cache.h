// A set of states in memory that forgets: a new state evicts another one if there is no room.
//
// With one way a state has one place (direct-mapped).  With more, it has several adjacent places,
// which are evicted in turn.  An evicted state goes to `spill` unless it was handed out before.
#pragma once

#include <cstdint>
#include <functional>

#include "base/hash.h"
#include "base/pages.h"
#include "storage/states/store.h"
#include "storage/states/table_entry.h"

namespace spillway {

class StateCache {
 public:
  using Spill = std::function<void(State)>;

  // As many rows as fit into `bytes`, at least one for each way.
  StateCache(Store& store, std::uint64_t bytes, unsigned ways, Spill spill);
  StateCache(Store& store, Spill spill)
      : StateCache(store, store.options().table_bytes, 1, std::move(spill)) {}

  // False if it is in the cache.
  bool insert(State row);
  bool contains(State row) const { return find(row.data()) != nullptr; }
  // Passes all states that were not handed out to `spill`; they stay in the cache.
  void write_back();
  void clear();  // hands out nothing
  // Calls visit(State) for all states in the cache.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < capacity_; ++i)
      if (conditions_[i] != empty) visit(State(row(i), shape_.words()));
  }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t forgotten() const { return forgotten_; }  // evicted states

 private:
  enum Condition : std::uint8_t { empty, fresh, handed_out };

  Word* row(std::size_t i) const { return rows_ + i * shape_.words(); }
  std::size_t first_way(const Word* of) const {
    return place_of(place_hash(of, shape_.key), capacity_ / ways_) * ways_;
  }
  const Word* find(const Word* of) const;
  void hand_out(std::size_t i);

  const Shape shape_;
  const unsigned ways_;
  Spill spill_;
  std::size_t capacity_;
  Pages pages_;
  Word* rows_;
  std::uint8_t* conditions_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace spillway
