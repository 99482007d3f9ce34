// States in order, packed: a sorted run.  Immutable once written.
//
// A run is a list of blocks (run_block.h), which lie in chunks, in memory or on disk.  Of each chunk it is known at
// which row it begins (run_index.h); of blocks that stands in their chunk, behind them: for each block its bytes (u32)
// and, but for the first, the row at which it begins, cut short: how many words (u32), the words; and last of all the
// bytes of this table (u32).  So whoever looks for something unpacks only the blocks in which it could be, and what a
// run takes in memory does not depend on how long its rows are.  Runs are written by several threads, each a part of
// its own, and the parts joined in order.
#pragma once

#include <memory>
#include <vector>

#include "base/state.h"
#include "storage/chunk_reader.h"
#include "storage/chunk_store.h"
#include "storage/run_block.h"
#include "storage/run_index.h"

namespace spillway {

template <std::size_t W>
class SortedRun {
 public:
  // `budget`: for what is known of its chunks.
  SortedRun(Budget& budget, const BlockShape& shape)
      : shape_(shape), width_(shape.words), index_(budget, shape.words) {}

  // All rows of `part` are above all rows of this run.  REQUIRES: neither is whole.
  void append(SortedRun part);
  // Nothing will be appended any more: first and last row need not be known.
  void be_whole() { std::vector<Word>().swap(ends_); }

  std::uint64_t size() const { return rows_; }
  const BlockShape& shape() const { return shape_; }
  Width<W> width() const { return width_; }
  const RunIndex& index() const { return index_; }
  std::uint64_t blocks() const { return index_.blocks(); }

  std::uint64_t packed_bytes() const;
  std::uint64_t disk_bytes() const;
  bool on_disk() const { return on_disk_; }  // some of it

 private:
  template <std::size_t>
  friend class RunWriter;

  void add(Chunk chunk, std::uint64_t blocks, std::span<const Word> edge) {
    on_disk_ = on_disk_ || !chunk.in_memory();
    index_.add(std::move(chunk), blocks, edge);
  }
  const Word* last_row() const { return ends_.data() + width_.words(); }

  BlockShape shape_;
  Width<W> width_;
  std::uint64_t rows_ = 0;
  bool on_disk_ = false;
  RunIndex index_;
  std::vector<Word> ends_;  // first and last row, as long as they are needed
};

// Writes a run, or a part of one.  One thread.
template <std::size_t W>
class RunWriter {
 public:
  // The packer may be shared by the writers of one thread.  `kept`: where a copy of every block goes as well, or
  // nobody.
  RunWriter(ChunkStore& store, BlockPacker<W>& packer, BlockKeeper* kept = nullptr);

  // What it takes from the budget, but for buffers of chunks: two.
  static std::uint64_t bytes(std::size_t chunk_bytes, const BlockShape& shape);
  // What a chunk of one block has besides it.
  static constexpr std::size_t kTableBytes = 2 * sizeof(std::uint32_t);
  static_assert(kTableBytes <= ChunkStore::kBesides);

  // REQUIRES: rows strictly increasing, above all that were added before.
  void add(const Word* rows, std::size_t count);
  SortedRun<W> finish();  // to which more can be appended

 private:
  void write_block(const Word* rows, std::size_t count);
  void close_chunk();

  ChunkStore& store_;
  Claim claim_;
  ChunkWriter chunks_;
  BlockKeeper* kept_;
  BlockPacker<W>& packer_;
  SortedRun<W> run_;
  std::vector<Word> waiting_;        // rows that do not make a block yet
  std::vector<std::uint8_t> chunk_;  // blocks of it
  std::vector<std::uint8_t> table_;  // of them
  std::uint64_t blocks_ = 0;         // likewise
  std::vector<Word> edge_;           // of the chunk
};

// Unpacks blocks of a run in increasing order.  One thread.
template <std::size_t W>
class RunBlockReader {
 public:
  // The unpacker may be shared by readers of one thread, who then need what they have opened only until another opens.
  RunBlockReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run), chunks_(run.index().chunks(), ahead), unpacker_(&unpacker), limit_(run.shape().words) {}

  // These make a block the current one, not before the one that is it.  REQUIRES: the run has blocks.
  void go_to(std::uint64_t block);
  void seek(const Word* row);  // the one in which this row is if it is in the run
  bool next();                 // false: it was the last; the first, when there was no current one

  // Of the current one. ------------------------------------------------------------------------------------
  BlockUnpacker<W>& open();
  std::size_t chunk() const { return chunk_; }
  bool has_next() const { return has_next_; }
  // A row not above those of the next block, and above those of this; nothing: there is no next.
  const Word* limit() const { return has_next_ ? limit_.data() : nullptr; }
  // The same when so many blocks are added to the current one, or as many as are in its chunk.
  const Word* limit_behind(std::size_t more);

  // This chunk will be wanted soon: reading begins.
  void expect(std::size_t chunk) { chunks_.expect(chunk); }
  // Chunks from this one up to `end` will be wanted: reading of so many begins, or as many as can be read ahead.
  void expect_from(std::size_t chunk, std::size_t end, std::size_t chunks);
  // Nothing more can be expected now.
  bool expects_enough() const { return chunks_.ahead().full(); }

 private:
  // An entry of the table of a chunk.
  struct Entry {
    std::size_t bytes = 0;
    std::span<const std::uint8_t> edge;  // words, as bytes
    const std::uint8_t* next = nullptr;  // entry
  };
  Entry read(const std::uint8_t* at) const;
  void expand(const Entry& entry, Word* row) const;
  void open_chunk(std::size_t chunk);
  void set_limit();
  bool next_in_chunk();

  const SortedRun<W>* run_;
  ChunkReader chunks_;
  BlockUnpacker<W>* unpacker_;
  bool begun_ = false;  // there is a current block
  std::size_t chunk_ = 0;
  Bytes bytes_;  // of the chunk
  const std::uint8_t* table_end_ = nullptr;
  std::size_t offset_ = 0;  // of the block
  std::uint64_t block_ = 0;
  Entry entry_;  // of the block
  bool has_next_ = false;
  std::vector<Word> limit_;
  std::vector<Word> behind_;
};

// Rows of a run one after the other.
template <std::size_t W>
class RunReader {
 public:
  // From the first row that is not below `from`, or from the first of all; nobody will ask for rows from `to` on.  So
  // many chunks are read ahead.
  RunReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead, std::size_t chunks_ahead = 1,
            const Word* from = nullptr, const Word* to = nullptr);

  // What it takes from the budget, but for a buffer of chunks.
  static std::uint64_t bytes(const BlockShape& shape) { return (shape.rows + 3) * shape.words * sizeof(Word); }

  // A row before which there are some rows to take, and at most `rows`, or two blocks; nothing: the run ends before.
  // Unless no rows are left below `to`.  Valid until rows are taken.
  const Word* ahead(std::size_t rows);
  // Copies the rows below `limit` (nothing: all that are left) to `out`, and returns the end of them.
  Word* take_below(const Word* limit, Word* out);

 private:
  bool fill();

  const SortedRun<W>* run_;
  Claim claim_;
  RunBlockReader<W> reader_;
  const std::size_t chunks_ahead_;
  const Word* const to_;
  std::size_t end_;  // the chunk behind the last that is needed
  bool more_;        // there may be blocks that were not unpacked
  std::vector<Word> rows_;
  std::size_t at_ = 0;  // in rows_
  std::size_t count_ = 0;
};

// Takes rows that are in a run out of other rows, in increasing order.
template <std::size_t W>
class RunSieve {
 public:
  RunSieve(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run), reader_(run, unpacker, ahead), edge_(run.shape().words) {}

  // The next call begins with this row: reading begins.
  void expect(const Word* row) {
    if (run_->blocks() != 0) reader_.expect(run_->index().chunk_of(row, reader_.chunk()));
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
  std::size_t expected_ = 0;        // the chunk up to which is known what will be opened
  const Word* foreseen_ = nullptr;  // the row of the next call up to which it is known
  std::vector<Word> edge_;          // of a chunk
};

}  // namespace spillway
