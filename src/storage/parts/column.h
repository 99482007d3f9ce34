// The values that one part of a state has had, each with a number.
//
// A value that no level before had is young: until the level is complete its number is provisional,
// because it tells in which order threads came to it.  settle() numbers the young values in the
// order of their contents.  So a number depends on the states alone: on the level in which its value
// came first, and on its rank among those that came with it.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "storage/parts/value_set.h"

namespace spillway {

class Column {
 public:
  using Number = ValueSet::Number;

  // `words`: of a value.
  Column(Budget& budget, std::size_t words, unsigned hash_bits);

  std::size_t words() const { return values_.words(); }
  // Numbers below are settled, others provisional.
  Number settled() const { return values_.size(); }
  bool has_young() const { return young_.size() != 0; }

  // Any thread.  Throws as ValueSet::add().
  Number find_or_add(const Word* value) {
    const Number known = values_.find(value);
    return known != ValueSet::kNone ? known : add_young(value);
  }
  // REQUIRES: number < settled().
  const Word* value(Number number) const { return values_[number]; }

  // The number of each young value, in the order of the provisional ones, which mean nothing from
  // then on.  REQUIRES: no other thread calls anything.
  std::vector<Number> settle();
  void forget_young() { young_.clear(); }

 private:
  Number add_young(const Word* value);

  ValueSet values_;
  std::mutex mutex_;  // guards young_
  ValueSet young_;
};

}  // namespace spillway
