// The index of a sorted run: where its chunks are, and at which row each begins.
//
// A chunk takes some 70 bytes, drawn from the budget: at most a thousandth of what is on disk.  The
// row at which a chunk begins is abbreviated: only the most significant words are kept, as many as
// tell it from the last row of the chunk before, and the others count as zeros.  The blocks of a
// chunk are indexed in the chunk itself (sorted_run.h).
#pragma once

#include <cstdint>
#include <span>

#include "base/state.h"
#include "storage/runs/chunks/chunk.h"

namespace spillway {

// How many words, from the most significant one, tell `row` from `lower`.  REQUIRES: lower is below
// row.
std::size_t words_apart(const Word* lower, const Word* row, std::size_t words);

class ChunkWriter;

class RunIndex {
 public:
  RunIndex(Budget& budget, std::size_t words)
      : budget_(&budget), words_(words), chunks_(budget), marks_(budget), edges_(budget) {}

  // Adds a chunk of `blocks` blocks after all others.  `edge`: the most significant words of a row
  // that is above all earlier rows and not above those of the chunk; empty for the first chunk.
  void add(Chunk chunk, std::uint64_t blocks, std::span<const Word> edge);
  // Adds all chunks of another index, whose rows are above those of this one.  `edge`: of its first
  // chunk.
  void append(RunIndex part, std::span<const Word> edge);

  // Moves the chunks that are in memory to disk.  They can be read once the writer has finished.
  void to_disk(ChunkWriter& writer);

  // Frees the place of a chunk, if it is on disk.  REQUIRES: nobody reads it now, or ever again.
  void free_place(std::size_t chunk) {
    if (!chunks_[chunk].in_memory()) chunks_[chunk].free();
  }

  const Chunks& chunks() const { return chunks_; }
  std::size_t size() const { return chunks_.size(); }  // chunks
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t first_block(std::size_t chunk) const { return marks_[chunk].first_block; }
  std::uint64_t blocks_in(std::size_t chunk) const {
    return (chunk + 1 < size() ? first_block(chunk + 1) : blocks_) - first_block(chunk);
  }
  std::size_t chunk_with(std::uint64_t block) const;  // REQUIRES: block < blocks()

  // The abbreviated row at which a chunk begins, filled up with zeros.
  void edge(std::size_t chunk, Word* row) const;
  // True if `row` is below the row at which the chunk begins.
  bool is_before(const Word* row, std::size_t chunk) const;
  // The last chunk that begins at or before `row`, or the first chunk.  The search starts at
  // `from`.  REQUIRES: from < size(), and the result is not before `from`.
  std::size_t chunk_of(const Word* row, std::size_t from = 0) const;

 private:
  struct Mark {
    std::uint64_t first_block;
    std::uint64_t edge;  // index in edges_
  };
  std::size_t edge_end(std::size_t chunk) const {
    return chunk + 1 < size() ? marks_[chunk + 1].edge : edges_.size();
  }

  Budget* budget_;
  std::size_t words_;
  Chunks chunks_;
  Paged<Mark, 16> marks_;
  Paged<Word, 32> edges_;
  std::uint64_t blocks_ = 0;
};

}  // namespace spillway
