// Rows in memory, appended by many threads and addressed by number.
//
// The pool reserves address space for all rows the budget could ever hold and draws memory chunk by
// chunk, so a number is an offset and rows never move.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/memory/budget.h"
#include "base/state.h"

namespace spillway {

class RowPool {
 public:
  // Consecutive rows of one chunk.
  struct Segment {
    std::uint64_t first;
    std::uint64_t count;
  };

  RowPool(Budget& budget, std::size_t words, std::size_t chunk_rows);
  // For the rows of another pool in another length, with the same numbers.  draw_chunk()
  // has to be called for each of its chunks.
  RowPool(const RowPool& other, std::size_t words);
  ~RowPool();
  RowPool(const RowPool&) = delete;
  RowPool& operator=(const RowPool&) = delete;

  State row(std::uint64_t number) const { return {base_ + number * words_, words_}; }
  States rows(Segment segment) const {
    return {base_ + segment.first * words_, segment.count, words_};
  }

  // Appends rows for one thread.
  class Writer {
   public:
    explicit Writer(RowPool& pool) : pool_(&pool) {}

    // Ensures room for one more row.  False if the budget refuses.
    [[nodiscard]] bool ready() { return open_ < end_ || open_chunk(); }

    // Returns the number of the row.  REQUIRES: ready() was true.
    std::uint64_t append(const Word* row);
    // What append() would return.  REQUIRES: the same.
    std::uint64_t next() const { return open_; }
    // Same for rows of known length.  REQUIRES: W equals the words of the pool.
    template <std::size_t W>
    void append_short(const Word* row) {
      Word* place = pool_->base_ + open_++ * W;
      for (std::size_t i = 0; i < W; ++i) place[i] = row[i];
    }

    // Returns the rows appended since the last take().  With `close`, later rows go to another
    // chunk.
    std::vector<Segment> take(bool close);

    // Adds the same rows to `all` without taking them.
    void peek(std::vector<Segment>& all) const;

    // Rows that others have appended are to be taken from here.
    void adopt(const std::vector<Segment>& segments) {
      segments_.insert(segments_.end(), segments.begin(), segments.end());
    }
    // The pool has been replaced by one with the same numbers.
    void go_over_to(RowPool& pool) { pool_ = &pool; }

   private:
    bool open_chunk();
    void end_segment();

    RowPool* pool_;
    std::uint64_t open_ = 0;     // number of the next row
    std::uint64_t end_ = 0;      // of the chunk
    std::uint64_t started_ = 0;  // first row of the current segment
    std::vector<Segment> segments_;
  };

  std::uint64_t chunk_of(Segment segment) const { return segment.first / chunk_rows_; }
  // For the rows of a chunk of another pool.  False if the budget refuses.  Any thread.
  [[nodiscard]] bool draw_chunk();
  Word* place(std::uint64_t number) { return base_ + number * words_; }
  std::size_t chunk_rows() const { return chunk_rows_; }
  // That chunks in use have room for.  Not while a writer is used.
  std::uint64_t room_rows() const { return (fresh_ - paid_.size() - unpaid_.size()) * chunk_rows_; }
  // Whether recycled chunks go back to the budget before the pool does, but for a few.
  bool returns_chunks() const;
  // Frees the chunk of this segment.  Any thread.  REQUIRES: no other segment in use lies in that
  // chunk.
  void recycle(Segment segment);

 private:
  void reserve();
  bool take_chunk(std::uint64_t& first_row);
  std::size_t chunk_bytes() const { return chunk_rows_ * words_ * sizeof(Word); }

  Budget& budget_;
  const std::size_t words_;
  const std::size_t chunk_rows_;
  std::size_t reserved_bytes_ = 0;
  Word* base_ = nullptr;
  std::mutex mutex_;
  std::uint64_t fresh_ = 0;            // chunks used so far
  std::uint64_t drawn_ = 0;            // from the budget
  std::vector<std::uint64_t> paid_;    // recycled chunks that are still drawn from the budget
  std::vector<std::uint64_t> unpaid_;  // recycled chunks whose memory was released
};

}  // namespace spillway
