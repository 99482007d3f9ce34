// A set of states in memory that forgets: a new state evicts another one if there is no room.
//
// With one way a state has one place (direct-mapped).  With more, it has several adjacent places,
// which are evicted in turn.  An evicted state goes to `spill` unless it was handed out before.
//
// The memory is drawn from the budget at once, but only as much of it is touched as the states
// need: neighbouring sets of places share the ways of one until these do not suffice.  What the
// cache does is the same as if it used all sets from the beginning.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/hash/hash.h"
#include "base/memory/pages.h"
#include "papers/storage/store.h"
#include "storage/table/table_entry.h"

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
    std::vector<std::size_t> places;
    for (std::size_t set = 0; set < sets_in_use(); ++set) {
      find_places(set, places);
      for (const std::size_t i : places) visit(State(row(i), shape_.words()));
    }
  }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t forgotten() const { return forgotten_; }  // evicted states

 private:
  enum Condition : std::uint8_t { empty, fresh, handed_out };

  Word* row(std::size_t i) const { return rows_ + i * shape_.words(); }
  std::size_t set_of(const Word* row) const {
    return place_of(place_hash(row, shape_.key), capacity_ / ways_);
  }
  std::size_t first_way(const Word* of) const { return (set_of(of) >> shared_) * ways_; }
  std::size_t sets_in_use() const { return ((capacity_ / ways_ - 1) >> shared_) + 1; }
  // Those with states in a set that is in use, in the order of all sets.
  void find_places(std::size_t set, std::vector<std::size_t>& places) const;
  void share_less();
  const Word* find(const Word* of) const;
  void hand_out(std::size_t i);

  const Shape shape_;
  const unsigned ways_;
  Spill spill_;
  std::size_t capacity_;
  unsigned shared_ = 0;  // 2 to this sets share the ways of one
  Pages pages_;
  Word* rows_;
  std::uint8_t* conditions_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace spillway
