// States in order, packed: a sorted run.  Immutable once written.
//
// A run is a list of blocks (run_block.h) with the first row of each at hand, so that whoever looks for
// something unpacks only the blocks in which it could be.  Blocks lie in chunks, which are in memory or on
// disk.  Runs are written by several threads, each a part of its own, and the parts joined in order.
#pragma once

#include <memory>
#include <vector>

#include "base/state.h"
#include "storage/chunk_reader.h"
#include "storage/chunk_store.h"
#include "storage/run_block.h"

namespace spillway {

template <std::size_t W>
class SortedRun {
 public:
  explicit SortedRun(const BlockShape& shape) : shape_(shape), width_(shape.words) {}

  // All rows of `part` are above all rows of this run.
  void append(SortedRun part);

  std::uint64_t size() const { return rows_; }
  const BlockShape& shape() const { return shape_; }
  Width<W> width() const { return width_; }

  std::size_t blocks() const { return blocks_.size(); }
  const Word* first_row(std::size_t block) const { return firsts_.data() + block * width_.words(); }
  std::size_t rows_in(std::size_t block) const { return blocks_[block].rows; }
  std::size_t next_chunk(std::size_t block) const;  // the first block that is not in the chunk of this one
  // The last block whose first row is not above `row`, or the first block; `from`: where to begin.
  // REQUIRES: blocks() > 0, from < blocks().
  std::size_t block_of(const Word* row, std::size_t from = 0) const;

  std::uint64_t packed_bytes() const;
  std::uint64_t disk_bytes() const;
  bool on_disk() const;  // some of it

 private:
  template <std::size_t>
  friend class RunWriter;
  template <std::size_t>
  friend class RunBlockReader;

  struct Block {
    std::uint32_t chunk;
    std::uint32_t offset;  // in the chunk
    std::uint32_t bytes;
    std::uint32_t rows;
  };

  BlockShape shape_;
  Width<W> width_;
  std::uint64_t rows_ = 0;
  std::vector<Word> firsts_;
  std::vector<Block> blocks_;
  std::vector<Chunk> chunks_;
};

// Writes a run, or a part of one.  One thread.
template <std::size_t W>
class RunWriter {
 public:
  // The packer may be shared by the writers of one thread.  `kept`: where a copy of every block goes as well, or
  // nobody.
  RunWriter(ChunkStore& store, BlockPacker<W>& packer, BlockKeeper* kept = nullptr);

  // REQUIRES: rows strictly increasing, above all that were added before.
  void add(const Word* rows, std::size_t count);
  SortedRun<W> finish();

 private:
  void write_block(const Word* rows, std::size_t count);
  void close_chunk();

  const std::size_t chunk_bytes_;
  ChunkWriter chunks_;
  BlockKeeper* kept_;
  BlockPacker<W>& packer_;
  SortedRun<W> run_;
  std::vector<Word> waiting_;  // rows that do not make a block yet
  std::vector<std::uint8_t> chunk_;
};

// Unpacks blocks of a run in increasing order.  One thread.
template <std::size_t W>
class RunBlockReader {
 public:
  // The unpacker may be shared by readers of one thread, who then need what they have opened only until another opens.
  RunBlockReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run), chunks_(run.chunks_, ahead), unpacker_(&unpacker) {}
  BlockUnpacker<W>& open(std::size_t block);
  // This block will be opened soon: reading begins.
  void expect(std::size_t block) { chunks_.expect(run_->blocks_[block].chunk); }
  // Blocks from this one up to `end` will be opened: reading of those begins that lie in so many chunks, or as many as
  // can be read ahead.
  void expect_from(std::size_t block, std::size_t end, std::size_t chunks);
  // Nothing more can be expected now.
  bool expects_enough() const { return chunks_.ahead().full(); }

 private:
  const SortedRun<W>* run_;
  ChunkReader chunks_;
  BlockUnpacker<W>* unpacker_;
};

// Rows of a run one after the other.
template <std::size_t W>
class RunReader {
 public:
  // From the first row that is not below `from`, or from the first of all; nobody will ask for rows from `to` on.  So
  // many chunks are read ahead.
  RunReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead, std::size_t chunks_ahead = 1,
            const Word* from = nullptr, const Word* to = nullptr);

  bool empty() const { return at_ == count_ && block_ == run_->blocks(); }
  // A row before which there are some rows to take, and at most `rows`, or two blocks; nothing: the run ends before.
  const Word* ahead(std::size_t rows) const;
  // Copies the rows below `limit` (nothing: all that are left) to `out`, and returns the end of them.
  Word* take_below(const Word* limit, Word* out);

 private:
  void fill();

  const SortedRun<W>* run_;
  RunBlockReader<W> reader_;
  const std::size_t chunks_ahead_;
  std::size_t end_;        // the block behind the last that is needed
  std::size_t block_ = 0;  // the next one to unpack
  std::vector<Word> rows_;
  std::size_t at_ = 0;  // in rows_
  std::size_t count_ = 0;
};

// Takes rows that are in a run out of other rows, in increasing order.
template <std::size_t W>
class RunSieve {
 public:
  RunSieve(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run), reader_(run, unpacker, ahead) {}

  // The next call begins with this row: reading begins.
  void expect(const Word* row) {
    if (run_->blocks() != 0) reader_.expect(run_->block_of(row, block_));
  }

  // Removes those of the sorted rows that are in the run, and returns how many are left.  `next` is told which of them
  // will come to it as soon as there is nothing more to read here.
  // REQUIRES: all rows are above those of the calls before.
  std::size_t sieve(Word* rows, std::size_t count, RunSieve* next = nullptr);

 private:
  const Word* expect_some(const Word* row, const Word* end);
  // The next call begins with these rows, and has more of them each time this is said.
  void foresee(const Word* rows, const Word* end);

  const SortedRun<W>* run_;
  RunBlockReader<W> reader_;
  std::size_t block_ = 0;
  std::size_t expected_ = 0;        // the block up to which is known what will be opened
  const Word* foreseen_ = nullptr;  // the row of the next call up to which it is known
};

}  // namespace spillway
