// Rows that were met a moment ago, and their numbers: a small cache that forgets a row when another
// takes its place.  As search/ram/recent_rows.h, but it also knows which row it was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/hash/hash.h"
#include "base/memory/budget.h"
#include "base/memory/pages.h"
#include "base/state.h"

namespace spillway {

class RecentNumbers {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // REQUIRES: rows >= 2.  Throws Error(usage) when the budget has no room for them.
  RecentNumbers(Budget& budget, std::size_t words, std::size_t rows)
      : words_(words), rows_(rows), pages_(Pages::need(budget, rows * (words + 1) * sizeof(Word))) {
    // An empty place holds a row that belongs elsewhere, so that it is never taken for one that was
    // met: the row of zeros, and in its own place the first row that has another.
    std::vector<Word> other(words);
    Word* const home = place(place_hash(other.data(), words));
    while (place(place_hash(other.data(), words)) == home) ++other[0];
    std::ranges::copy(other, home);
  }

  static std::size_t bytes_of(std::size_t words) { return (words + 1) * sizeof(Word); }

  // The number of a row, if it was the last one at its place.  Otherwise kNone, and now it is, with
  // `number`.  `hash`: place_hash() of it.
  std::uint64_t meet(const Word* row, std::uint64_t hash, std::uint64_t number) {
    Word* const last = place(hash);
    if (equal({last, words_}, {row, words_})) return last[words_];
    std::copy_n(row, words_, last);
    last[words_] = number;
    return kNone;
  }

  // The row that was met with the number `before` has another one.
  void renumber(std::uint64_t hash, std::uint64_t before, std::uint64_t number) {
    Word& kept = place(hash)[words_];
    if (kept == before) kept = number;
  }

 private:
  Word* place(std::uint64_t hash) const {
    return reinterpret_cast<Word*>(pages_.data()) + place_of(hash, rows_) * (words_ + 1);
  }

  const std::size_t words_;
  const std::size_t rows_;
  Pages pages_;
};

}  // namespace spillway
