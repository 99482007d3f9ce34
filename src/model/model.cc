#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace spillway {

void Successors::make_room(std::size_t count) {
  const std::size_t rows = count_ + std::max(count, count_);  // at least twice as many as there are
  rows_.resize(rows * words_);
  rules_.resize(rows);
  if (wants_marks_) marks_.resize(rows);
}

std::string Model::layout() const {
  if (!composition_.layout.empty()) return composition_.layout;
  return fmt::format("{} words, {} bits\n", words(), steps().row_bits());
}

std::vector<StatePart> Description::parts(State state) const {
  std::vector<StatePart> all;
  for (Variable& variable : variables(state))
    all.push_back({std::move(variable.name), StatePart::Kind::scalar, std::move(variable.value)});
  return all;
}

}  // namespace spillway
