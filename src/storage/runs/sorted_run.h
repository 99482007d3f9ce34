// A sorted run: packed rows in order.  Immutable once written.
//
// A run is a list of blocks (run_block.h) in chunks, which are in memory or on disk.  The index in
// memory knows at which row each chunk begins (run_index.h).  A table at the end of each chunk does
// the same for its blocks: for each block its bytes (u32) and, except for the first, the
// abbreviated row at which it begins: the number of words (u32) and the words.  The bytes of the
// table (u32) come last.  So a lookup unpacks only the blocks that could hold a row, and the memory
// a run takes does not depend on the length of its rows.  Several threads write a run, each a part,
// and the parts are joined in order.
#pragma once

#include <memory>
#include <vector>

#include "base/state.h"
#include "storage/runs/chunks/chunk_reader.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/run_block.h"
#include "storage/runs/run_index.h"
#include "storage/runs/run_label.h"

namespace spillway {

template <std::size_t W>
class SortedRun {
 public:
  // `budget`: for the index.
  SortedRun(Budget& budget, const BlockShape& shape)
      : shape_(shape), width_(shape.words), index_(budget, shape.words) {}

  // Appends `part`.  REQUIRES: all its rows are above those of this run; be_whole() was called on
  // neither.
  void append(SortedRun part);
  // Ends appending: frees the first and last row.
  void be_whole() { std::vector<Word>().swap(ends_); }

  std::uint64_t size() const { return rows_; }
  const BlockShape& shape() const { return shape_; }
  Width<W> width() const { return width_; }
  const RunIndex& index() const { return index_; }
  std::uint64_t blocks() const { return index_.blocks(); }
  std::uint64_t disk_bytes() const;
  bool on_disk() const { return on_disk_; }  // at least some of it
  // Moves what is in memory to disk.
  void to_disk(ChunkStore& store);
  // Frees the place of a chunk on disk that was read for the last time, while others are still
  // read. Any thread, each with chunks of its own.  The run can only be destroyed afterwards.
  // Memory is not freed: the run that is being written would take it, and the next ones, which are
  // merged again sooner, would go to disk.
  void free_place(std::size_t chunk) { index_.free_place(chunk); }

  // What its rows are.
  RunLabel label() const { return label_; }
  void set_label(RunLabel label) { label_ = label; }

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
  RunLabel label_;
  RunIndex index_;
  std::vector<Word> ends_;  // first and last row, until be_whole()
};

// Joins parts of a run, in order.  REQUIRES: there is at least one, and be_whole() was called on
// none.
template <std::size_t W>
SortedRun<W> joined(std::vector<SortedRun<W>>& parts) {
  SortedRun<W> all = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) all.append(std::move(parts[i]));
  all.be_whole();
  return all;
}

// Writes a run, or a part of one.  One thread.
template <std::size_t W>
class RunWriter {
 public:
  // The packer may be shared by the writers of one thread.  `kept` receives a copy of every block;
  // may be nullptr.
  RunWriter(ChunkStore& store, BlockPacker<W>& packer, BlockKeeper* kept = nullptr);

  // What a writer takes from the budget, besides two chunk buffers.
  static std::uint64_t bytes(std::size_t chunk_bytes, const BlockShape& shape);
  // What a chunk of one block has besides the block.
  static constexpr std::size_t kTableBytes = 2 * sizeof(std::uint32_t);
  static_assert(kTableBytes <= ChunkStore::kBesides);

  // REQUIRES: rows strictly increasing, above all that were added before.
  void add(const Word* rows, std::size_t count);
  SortedRun<W> finish();  // parts can still be appended to it

 private:
  void write_block(const Word* rows, std::size_t count);
  void close_chunk();

  ChunkStore& store_;
  Claim claim_;
  ChunkWriter chunks_;
  BlockKeeper* kept_;
  BlockPacker<W>& packer_;
  SortedRun<W> run_;
  std::vector<Word> waiting_;        // rows that do not fill a block yet
  std::vector<std::uint8_t> chunk_;  // blocks of the open chunk
  std::vector<std::uint8_t> table_;  // their table
  std::uint64_t blocks_ = 0;         // their number
  std::vector<Word> edge_;           // of the open chunk
};

// Unpacks blocks of a run in increasing order.  One thread.
template <std::size_t W>
class RunBlockReader {
 public:
  // The unpacker may be shared by the readers of one thread.  What one has opened is valid until
  // another opens a block.
  RunBlockReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run),
        chunks_(run.index().chunks(), ahead),
        unpacker_(&unpacker),
        limit_(run.shape().words) {}

  // These select the current block, never before the present one.  REQUIRES: the run has blocks.
  void go_to(std::uint64_t block);
  void seek(const Word* row);  // the block that holds `row` if the run does
  bool next();                 // the first, if none is current; false at the end

  // The current block -----------------------------------------------------------------------------
  BlockUnpacker<W>& open();
  std::size_t chunk() const { return chunk_; }
  bool has_next() const { return has_next_; }
  bool is_last_of_chunk() const { return entry_.next == table_end_; }
  // A row above all rows of this block and not above those of the next; nullptr if there is no
  // next.
  const Word* limit() const { return has_next_ ? limit_.data() : nullptr; }
  // Same with `more` further blocks included, or as many as are left in its chunk.
  const Word* limit_behind(std::size_t more);

  // Starts to read a chunk that will be needed soon.
  void expect(std::size_t chunk) { chunks_.expect(chunk); }
  // Starts to read up to `chunks` of the chunks [chunk, end), or as many as can be read ahead.
  void expect_from(std::size_t chunk, std::size_t end, std::size_t chunks);
  // True if read-ahead has no more room.
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

// Reads the rows of a run in order.
template <std::size_t W>
class RunReader {
 public:
  // Starts at the first row not below `from`, or at the first row if nullptr.  Rows from `to` on
  // will not be asked for.  Reads `chunks_ahead` chunks ahead; 0: only the next chunk, and only
  // while the last block of the one before it is used.  `spent`: the run, if its places on
  // disk are freed once they were read, except for chunks that others may read: those in which rows
  // before `from` or from `to` on may be.
  RunReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead,
            std::size_t chunks_ahead = 1, const Word* from = nullptr, const Word* to = nullptr,
            SortedRun<W>* spent = nullptr);

  // What a reader takes from the budget, besides a chunk buffer.
  static std::uint64_t bytes(const BlockShape& shape) {
    return (shape.rows + 3) * shape.words * sizeof(Word);
  }

  // A row such that at least one and at most max(`rows`, two blocks) unread rows precede it;
  // nullptr if the run ends before.  If no unread rows below `to` are left, any row not below `to`
  // may be returned.  Valid until rows are taken.
  const Word* ahead(std::size_t rows);
  // The first unread row, after ahead(); nullptr if there is none below `to`.
  const Word* first() const {
    return at_ < count_ ? rows_.data() + at_ * run_->width().words() : nullptr;
  }
  // Copies the rows below `limit` (nullptr: all that are left) to `out`, and returns the end of the
  // copy.
  Word* take_below(const Word* limit, Word* out);

 private:
  bool next_block();
  bool fill();

  const SortedRun<W>* run_;
  SortedRun<W>* const spent_;
  Claim claim_;
  RunBlockReader<W> reader_;
  const std::size_t chunks_ahead_;
  const Word* const to_;
  std::size_t end_;   // one past the last chunk that is needed
  std::size_t kept_;  // chunks before this one are not freed
  bool more_;         // there may be blocks not unpacked yet
  std::vector<Word> rows_;
  std::size_t at_ = 0;  // in rows_
  std::size_t count_ = 0;
};

// Removes the rows of a run from other sorted rows.
template <std::size_t W>
class RunSieve {
 public:
  RunSieve(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead)
      : run_(&run), reader_(run, unpacker, ahead), edge_(run.shape().words) {}

  // Announces rows of the next call: starts to read the chunks in which many of them could be, as
  // far as read-ahead has room.  Some of the rows may not come after all, and between two calls of
  // sieve() they may be announced again, others with them.
  void expect(const Word* rows, std::size_t count);

  // Removes those of the sorted rows that are in the run, and returns how many are left.  Once all
  // reading for this call has started, announces the remaining rows to `next`, which will be called
  // with them.  REQUIRES: all rows are above those of earlier calls.
  std::size_t sieve(Word* rows, std::size_t count, RunSieve* next = nullptr);

 private:
  const Word* expect_some(const Word* row, const Word* end, std::size_t least);

  const SortedRun<W>* run_;
  RunBlockReader<W> reader_;
  std::size_t expected_ = 0;  // chunks before this one were dealt with, for the rows of a call
  std::vector<Word> edge_;    // of a chunk
};

}  // namespace spillway
