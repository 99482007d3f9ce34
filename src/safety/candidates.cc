#include "safety/candidates.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"

namespace spillway {

template <std::size_t W>
Candidates<W>::Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t cache_rows,
                          std::size_t rows)
    : store_(store), shape_(shape), width_(shape.words), cache_rows_(cache_rows), room_(rows), sorter_(shape.words) {
  std::optional<Pages> pages = Pages::get(budget, (cache_rows + rows) * shape.words * sizeof(Word));
  if (!pages)
    throw Error(Fault::usage, fmt::format("--memory: {} are not enough to begin with", bytes_text(budget.limit())));
  pages_ = std::move(*pages);
  cache_ = reinterpret_cast<Word*>(pages_.data());
  rows_ = cache_ + cache_rows * shape.words;
  // An empty place of the cache holds a row that belongs elsewhere, so that it is never taken for one that was met: the
  // row of zeros, and in its own place the first row that has another.
  std::vector<Word> other(shape.words);
  const std::size_t home = place(other.data());
  while (place(other.data()) == home) ++other[0];
  std::copy(other.begin(), other.end(), cache_ + home * shape.words);
}

template <std::size_t W>
void Candidates<W>::settle() {
  count_ = sorter_.sort_unique(rows_, count_);
}

template <std::size_t W>
void Candidates<W>::make_room() {
  settle();
  if (count_ <= room_ / 4 * 3 && count_ < room_) return;
  BlockPacker<W> packer(shape_);
  RunWriter<W> writer(store_, packer);
  writer.add(rows_, count_);
  runs_.push_back(writer.finish());
  count_ = 0;
}

template <std::size_t W>
void Candidates<W>::clear() {
  count_ = 0;
  runs_.clear();
}

template class Candidates<0>;
template class Candidates<1>;
template class Candidates<2>;

}  // namespace spillway
