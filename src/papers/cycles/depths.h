// The depths of states that have numbers: one byte for each, two if there are more than 256 levels,
// four if there are more than 65,536.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/memory/pages.h"

namespace spillway {

class Depths {
 public:
  // Throws Error(usage) if the budget refuses.
  Depths(Budget& budget, std::uint64_t states, std::uint64_t levels)
      : bytes_(levels <= 256     ? 1
               : levels <= 65536 ? 2
                                 : 4),
        pages_(Pages::need(budget, states * bytes_)) {}

  void set(std::uint64_t number, std::uint64_t depth) {
    std::memcpy(pages_.data() + number * bytes_, &depth, bytes_);  // the least bytes come first
  }
  std::uint64_t operator[](std::uint64_t number) const {
    std::uint64_t depth = 0;
    std::memcpy(&depth, pages_.data() + number * bytes_, bytes_);
    return depth;
  }

 private:
  const std::size_t bytes_;
  Pages pages_;
};

}  // namespace spillway
