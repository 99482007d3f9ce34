// The order of rows (base/state.h) for rows whose length is known when compiling, and sorting.
//
// The last word is the most significant.  So rows of one and two words are sorted as the integers
// that they are in memory, by vector instructions.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/state.h"

namespace spillway {

// The length of a row, if known at compile time; W = 0 if not.
template <std::size_t W>
struct Width {
  explicit Width(std::size_t /*words*/) {}
  static constexpr std::size_t words() { return W; }
};
template <>
struct Width<0> {
  explicit Width(std::size_t words) : words_(words) {}
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
};

// Calls task(std::integral_constant<std::size_t, W>()) with the W for rows of `words` words.
template <class Task>
auto with_width(std::size_t words, Task task) {
  switch (words) {
    case 1: return task(std::integral_constant<std::size_t, 1>());
    case 2: return task(std::integral_constant<std::size_t, 2>());
    case 3: return task(std::integral_constant<std::size_t, 3>());
    case 4: return task(std::integral_constant<std::size_t, 4>());
    default: return task(std::integral_constant<std::size_t, 0>());
  }
}

// What is defined in a source is instantiated for every W that with_width() knows.
#define SPILLWAY_FOR_WIDTHS(INSTANTIATE) \
  INSTANTIATE(0) INSTANTIATE(1) INSTANTIATE(2) INSTANTIATE(3) INSTANTIATE(4)

template <std::size_t W>
inline bool below(const Word* a, const Word* b, Width<W> width) {
  if constexpr (W == 1) return *a < *b;
  for (std::size_t i = width.words(); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

template <std::size_t W>
inline bool same(const Word* a, const Word* b, Width<W> width) {
  if constexpr (W != 0) {  // no branches: which word differs is unpredictable
    Word differ = 0;
    for (std::size_t i = 0; i < W; ++i) differ |= a[i] ^ b[i];
    return differ == 0;
  }
  for (std::size_t i = 0; i < width.words(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// The first of the sorted rows [first, last) that is not below `row`.
template <std::size_t W>
inline const Word* lower_bound(const Word* first, const Word* last, const Word* row,
                               Width<W> width) {
  std::size_t count = static_cast<std::size_t>(last - first) / width.words();
  while (count > 0) {
    const std::size_t half = count / 2;
    const Word* middle = first + half * width.words();
    if (below(middle, row, width)) {
      first = middle + width.words();
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

template <std::size_t W>
inline void copy_row(Word* to, const Word* from, Width<W> width) {
  for (std::size_t i = 0; i < width.words(); ++i) to[i] = from[i];
}

// Sorts rows.  One per thread, because it holds scratch memory.
class RowSorter {
 public:
  explicit RowSorter(std::size_t words);
  ~RowSorter();
  RowSorter(RowSorter&&) noexcept;

  // Bytes per row that sorting takes besides the rows.
  static std::size_t bytes_per_row(std::size_t words) { return words <= 2 ? 0 : sizeof(Pair); }

  // Sorts `count` rows, removes duplicates, and returns how many are left.
  std::size_t sort_unique(Word* rows, std::size_t count);
  void sort(Word* rows, std::size_t count);

 private:
  struct Tools;
  struct Pair {  // compared as one number: `row` breaks ties, so no two are equal
    Word row, key;
  };
  void sort_long(Word* rows, std::size_t count);
  void sort_pairs(std::size_t first, std::size_t last, std::size_t bits, const Word* rows);
  void permute(Word* rows, std::size_t count);

  std::size_t words_;
  Tools* tools_;
};

}  // namespace spillway
