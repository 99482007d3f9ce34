#include "model/model.h"

#include <algorithm>

namespace spillway {

void Successors::make_room(std::size_t count) {
  const std::size_t rows = count_ + std::max(count, count_);  // at least twice as many as there are
  rows_.resize(rows * words_);
  rules_.resize(rows);
}

}  // namespace spillway
