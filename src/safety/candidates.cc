#include "safety/candidates.h"

#include <algorithm>
#include <vector>

namespace spillway {

template <std::size_t W>
Candidates<W>::Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t cache_rows,
                          std::size_t rows)
    : width_(shape.words),
      cache_rows_(cache_rows),
      pages_(Pages::need(budget, cache_rows * shape.words * sizeof(Word))),
      cache_(reinterpret_cast<Word*>(pages_.data())),
      sort_(budget, store, shape, rows) {
  // An empty place of the cache holds a row that belongs elsewhere, so that it is never taken for one that was met: the
  // row of zeros, and in its own place the first row that has another.
  std::vector<Word> other(shape.words);
  const std::size_t home = place(other.data());
  while (place(other.data()) == home) ++other[0];
  std::copy(other.begin(), other.end(), cache_ + home * shape.words);
}

template class Candidates<0>;
template class Candidates<1>;
template class Candidates<2>;

}  // namespace spillway
