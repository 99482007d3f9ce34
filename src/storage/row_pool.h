// Rows in RAM, appended by many threads, each addressed by a number.
//
// The pool reserves address space for all rows the budget could ever hold and pays for it chunk by chunk,
// so a number is an offset and rows never move.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/budget.h"
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
  ~RowPool();
  RowPool(const RowPool&) = delete;
  RowPool& operator=(const RowPool&) = delete;

  State row(std::uint64_t number) const { return {base_ + number * words_, words_}; }
  States rows(Segment segment) const { return {base_ + segment.first * words_, segment.count, words_}; }

  // What one thread appends.
  class Writer {
   public:
    explicit Writer(RowPool& pool) : pool_(&pool) {}

    // Makes sure that there is room for one more row.  False: the budget refuses.
    [[nodiscard]] bool ready() { return open_ < end_ || open_chunk(); }

    // REQUIRES: ready() was true.  Returns the number of the row.
    std::uint64_t append(const Word* row);
    // The same for rows whose length is known.  REQUIRES: W == words of the pool.
    template <std::size_t W>
    void append_short(const Word* row) {
      Word* place = pool_->base_ + open_++ * W;
      for (std::size_t i = 0; i < W; ++i) place[i] = row[i];
    }

    // The rows appended since the last take(), and, with `close`, a new chunk for what follows.
    std::vector<Segment> take(bool close);

    // Adds the same rows to `all` without taking them.
    void peek(std::vector<Segment>& all) const;

   private:
    bool open_chunk();
    void end_segment();

    RowPool* pool_;
    std::uint64_t open_ = 0;     // number of the next row
    std::uint64_t end_ = 0;      // of the chunk
    std::uint64_t started_ = 0;  // first row of the current segment
    std::vector<Segment> segments_;
  };

  // The chunk of this segment is no longer needed.  Any thread.
  // REQUIRES: no other segment in use lies in the same chunk.
  void recycle(Segment segment);

 private:
  bool take_chunk(std::uint64_t& first_row);
  std::size_t chunk_bytes() const { return chunk_rows_ * words_ * sizeof(Word); }

  Budget& budget_;
  const std::size_t words_;
  const std::size_t chunk_rows_;
  std::size_t reserved_bytes_ = 0;
  Word* base_ = nullptr;
  std::mutex mutex_;
  std::uint64_t fresh_ = 0;            // chunks that have been in use
  std::vector<std::uint64_t> paid_;    // recycled chunks that are still paid for
  std::vector<std::uint64_t> unpaid_;  // recycled chunks whose memory went back
};

}  // namespace spillway
