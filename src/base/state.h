// A state, as everything above the model sees it: a row of 64-bit words.
//
// Two rows are the same state if and only if all their words are equal; see spillway/model_abi.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace spillway {

using Word = std::uint64_t;
using State = std::span<const Word>;  // a view, never an owner

// Rows packed one after the other; a range of State.  Also a view: whoever returns one documents
// how long it lives.
class States {
 public:
  States() = default;
  States(const Word* rows, std::size_t count, std::size_t words)
      : rows_(rows), count_(count), words_(words) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Word* data() const { return rows_; }
  State operator[](std::size_t i) const { return {rows_ + i * words_, words_}; }

  class Iterator {
   public:
    Iterator(const Word* row, std::size_t words) : row_(row), words_(words) {}
    State operator*() const { return {row_, words_}; }
    Iterator& operator++() {
      row_ += words_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return row_ != other.row_; }

   private:
    const Word* row_;
    std::size_t words_;
  };
  Iterator begin() const { return {rows_, words_}; }
  Iterator end() const { return {rows_ + count_ * words_, words_}; }

 private:
  const Word* rows_ = nullptr;
  std::size_t count_ = 0;
  std::size_t words_ = 1;
};

// The order of rows: as numbers of which the last word is the most significant.  It decides between
// states wherever one must be preferred, so that results do not depend on the order in which states
// were found, and sorted runs are in this order (storage/runs/packing/row_order.h).
inline bool less(State a, State b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

inline bool equal(State a, State b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace spillway
