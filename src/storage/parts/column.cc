#include "storage/parts/column.h"

#include <algorithm>
#include <numeric>

namespace spillway {

Column::Column(Budget& budget, std::size_t words, unsigned hash_bits)
    : values_(budget, words, hash_bits), young_(budget, words, hash_bits) {}

Column::Number Column::add_young(const Word* value) {
  const std::lock_guard lock(mutex_);
  return settled() + young_.add(value).first;
}

std::vector<Column::Number> Column::settle() {
  std::vector<Number> order(young_.size());
  std::iota(order.begin(), order.end(), Number{0});
  const auto contents = [this](Number i) { return State(young_[i], words()); };
  std::ranges::sort(order, [&](Number a, Number b) { return less(contents(a), contents(b)); });
  std::vector<Number> numbers(order.size());
  for (const Number i : order) numbers[i] = values_.add(young_[i]).first;
  young_.clear();
  return numbers;
}

}  // namespace spillway
