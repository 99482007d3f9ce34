// What is known of a sorted run without reading it: where its chunks are, and at which row each begins.
//
// For each chunk there are some 70 bytes, drawn from the budget: a thousandth of what is on disk, or less.  A row at
// which a chunk begins is cut short: the words that tell it from the last row of the chunk before it are kept, and
// those below count as zeros.  What is in a chunk stands in the chunk itself (sorted_run.h).
#pragma once

#include <cstdint>
#include <span>

#include "base/state.h"
#include "storage/chunk.h"

namespace spillway {

// How many words, from the most significant one, tell `row` from one below it.
std::size_t words_apart(const Word* lower, const Word* row, std::size_t words);

class RunIndex {
 public:
  RunIndex(Budget& budget, std::size_t words) : words_(words), chunks_(budget), marks_(budget), edges_(budget) {}

  // Of a chunk that lies behind all others; it has so many blocks.  `edge`: the most significant words of a row that is
  // not above its rows and above all before; none for the first chunk.
  void add(Chunk chunk, std::uint64_t blocks, std::span<const Word> edge);
  // All of another index, the rows of which lie behind this; `edge`: of its first chunk.
  void append(RunIndex part, std::span<const Word> edge);

  const Chunks& chunks() const { return chunks_; }
  std::size_t size() const { return chunks_.size(); }  // chunks
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t first_block(std::size_t chunk) const { return marks_[chunk].first_block; }
  std::uint64_t blocks_in(std::size_t chunk) const {
    return (chunk + 1 < size() ? first_block(chunk + 1) : blocks_) - first_block(chunk);
  }
  std::size_t chunk_with(std::uint64_t block) const;  // REQUIRES: block < blocks()

  // The row at which a chunk begins, cut short, as a whole one.
  void edge(std::size_t chunk, Word* row) const;
  // Whether a row comes before that.
  bool is_before(const Word* row, std::size_t chunk) const;
  // The last chunk that begins at or before `row`, or the first; `from`: where to begin, not behind it.
  // REQUIRES: from < size().
  std::size_t chunk_of(const Word* row, std::size_t from = 0) const;

 private:
  struct Mark {
    std::uint64_t first_block;
    std::uint64_t edge;  // in edges_
  };
  std::size_t edge_end(std::size_t chunk) const { return chunk + 1 < size() ? marks_[chunk + 1].edge : edges_.size(); }

  std::size_t words_;
  Chunks chunks_;
  Paged<Mark, 16> marks_;
  Paged<Word, 32> edges_;
  std::uint64_t blocks_ = 0;
};

}  // namespace spillway
