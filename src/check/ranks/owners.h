// Assigns each state to one of several ranks.
//
// States are in partitions by their hash, many more than there are ranks, and a table says which
// rank has which partition.  The table depends on the number of ranks alone.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash/hash.h"
#include "base/state.h"

namespace spillway {

class Owners {
 public:
  explicit Owners(unsigned ranks) {
    for (std::size_t i = 0; i < kPartitions; ++i)
      ranks_[i] = static_cast<std::uint16_t>(i * ranks / kPartitions);
  }

  // `hash`: place_hash() of the row, which is scattered once more, so that the states of a rank are
  // not all in one part of a table.
  unsigned of(std::uint64_t hash) const { return ranks_[place_of(scatter(~hash), kPartitions)]; }
  unsigned of(State state) const { return of(place_hash(state.data(), state.size())); }

 private:
  static constexpr std::size_t kPartitions = 1024;
  std::array<std::uint16_t, kPartitions> ranks_{};
};

}  // namespace spillway
