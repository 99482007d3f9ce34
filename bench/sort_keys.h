// The keys that the benchmarks of sorting sort, and a sum by which their results are compared.
#pragma once

#include <cstdint>

#include "base/hash/hash.h"

namespace spillway {

inline std::uint64_t key(std::uint64_t number) { return scatter(number); }

// Depends on the order: sum of key * place, modulo 2^64.  Sums of pieces can be put together.
struct OrderedSum {
  std::uint64_t count = 0, keys = 0, sum = 0;

  void add(std::uint64_t key) {
    sum += key * count;
    keys += key;
    ++count;
  }
  void add(const OrderedSum& next) {
    sum += next.sum + next.keys * count;
    keys += next.keys;
    count += next.count;
  }
};

}  // namespace spillway
