// Rows that were met a moment ago: a small cache that forgets a row when another takes its place.
//
// Most successors are made several times within a short while, by neighbours. To know them again
// here, in the processor's own cache, costs a tenth of asking a table in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/hash/hash.h"
#include "base/memory/budget.h"
#include "base/memory/pages.h"
#include "storage/runs/packing/row_order.h"

namespace spillway {

// `kNumbered`: it also knows which row it was.
template <std::size_t W, bool kNumbered = false>
class RecentRows {
 public:
  using HashOf = std::uint64_t (*)(const Word* row, std::size_t words);
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // no number of a row

  static std::size_t bytes_of(std::size_t words) { return (words + kNumbered) * sizeof(Word); }

  // `hash_of`: what makes the hashes of rows.  REQUIRES: rows >= 2.  Throws Error(usage) when the
  // budget has no room for them.
  RecentRows(Budget& budget, std::size_t words, std::size_t rows, HashOf hash_of = place_hash)
      : width_(words), rows_(rows), pages_(Pages::need(budget, rows * bytes_of(words))) {
    // An empty place holds a row that belongs elsewhere, so that it is never taken for one that was
    // met: the row of zeros, and in its own place the first row that has another.
    std::vector<Word> other(words);
    Word* const home = place(hash_of(other.data(), words));
    while (place(hash_of(other.data(), words)) == home) ++other[0];
    std::copy(other.begin(), other.end(), home);
  }

  // A row with this hash will be met soon.
  void expect(std::uint64_t hash) const { __builtin_prefetch(place(hash), 1); }
  // The same, for all lines of a long row.
  void expect_long(std::uint64_t hash) const {
    constexpr std::size_t kLine = 64 / sizeof(Word);
    const Word* const last = place(hash);
    for (std::size_t i = 0; i < place_words(); i += kLine) __builtin_prefetch(last + i, 1);
    __builtin_prefetch(last + place_words() - 1, 1);
  }

  // Whether the row was the last one at its place; now it is.  `hash`: hash_of() of it.
  bool meet(const Word* row, std::uint64_t hash) requires(!kNumbered) {
    return is_kept_at(place(hash), row);
  }

  // The number of a row, if it was the last one at its place.  Otherwise kNone, and now it is, with
  // `number`.
  std::uint64_t meet(const Word* row, std::uint64_t hash, std::uint64_t number) requires kNumbered {
    Word* const last = place(hash);
    Word& kept = last[width_.words()];
    const std::uint64_t before = kept;
    const bool is_known = is_kept_at(last, row);
    kept = is_known ? before : number;
    return is_known ? before : kNone;
  }

  // The row that was met with the number `before` has another one.
  void renumber(std::uint64_t hash, std::uint64_t before, std::uint64_t number) requires kNumbered {
    Word& kept = place(hash)[width_.words()];
    if (kept == before) kept = number;
  }

 private:
  bool is_kept_at(Word* __restrict last, const Word* row) {
    const std::size_t words = width_.words();
    Word differ = 0;  // no branches: which word differs is unpredictable
    for (std::size_t i = 0; i < words; ++i) {
      differ |= last[i] ^ row[i];
      last[i] = row[i];
    }
    return differ == 0;
  }
  std::size_t place_words() const { return width_.words() + kNumbered; }
  Word* place(std::uint64_t hash) const {
    return reinterpret_cast<Word*>(pages_.data()) + place_of(hash, rows_) * place_words();
  }

  const Width<W> width_;
  const std::size_t rows_;
  Pages pages_;
};

}  // namespace spillway
