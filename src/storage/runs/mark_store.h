// Storage for the marks of merges: coded, in blocks that share chunks.
//
// Marks are not read before the end of a search, so unless memory is plentiful they go to disk.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "storage/runs/chunks/chunk_reader.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/mark_code.h"

namespace spillway {

// Where a block of marks is.
struct MarkPlace {
  std::uint64_t chunk = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

// The marks of one part of a merge, in order.
struct MarkedPart {
  explicit MarkedPart(Budget& budget) : places(budget) {}
  Paged<MarkPlace, 32> places;
  std::uint64_t rows = 0;
};

class MarkStore {
 public:
  // REQUIRES: the store outlives it.
  explicit MarkStore(ChunkStore& store) : store_(store), writer_(store), chunks_(store.budget()) {}

  Budget& budget() { return store_.budget(); }
  // The most bytes of a block.
  std::size_t block_bytes() const { return block_bytes_; }
  // Any thread.
  MarkPlace keep(Bytes block);

  // Ends writing.  Chunks can be read until the next call of keep().
  const Chunks& finished_chunks();
  ChunkBuffers& buffers() { return store_.buffers(); }

 private:
  void close_chunk();

  ChunkStore& store_;
  const std::size_t block_bytes_ = block_bytes_for(store_.chunk_bytes());
  static std::size_t block_bytes_for(std::size_t chunk_bytes);
  Claim claim_;  // for the open chunk
  ChunkWriter writer_;
  std::mutex mutex_;
  Chunks chunks_;
  std::uint64_t in_memory_ = 0;     // bytes of chunks_
  std::vector<std::uint8_t> open_;  // the chunk being filled
};

// Writes the marks of one part.  One thread.
class MarkWriter {
 public:
  MarkWriter(MarkStore& store, const MarkCode& code);
  // What a writer takes from the budget, at most.
  static constexpr std::uint64_t kMostBytes = 16 << 10;

  void add(std::span<const std::uint8_t> marks);
  MarkedPart finish();

 private:
  void put_word();
  void close_block();

  MarkStore& store_;
  const MarkCode& code_;
  const Claim claim_;
  MarkedPart part_;
  std::vector<std::uint8_t> block_;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;  // of bits_
};

// Reads the marks of all parts of a merge, one after the other.  One thread.
class MarkReader {
 public:
  // REQUIRES: nothing is written meanwhile; the parts outlive it.
  MarkReader(MarkStore& store, const std::vector<MarkedPart>& parts, const MarkCode& code);
  MarkReader(const MarkReader&) = delete;
  MarkReader& operator=(const MarkReader&) = delete;

  // Throws Error(integrity) if there are no more.
  std::uint8_t next() {
    while (left_ == 0) begin_part();
    if (count_ < MarkCode::kLongest) fill();
    const MarkCode::Meaning meaning = meanings_[bits_ & kMask];
    bits_ >>= meaning.length;
    count_ -= meaning.length;
    --left_;
    return meaning.mark;
  }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << MarkCode::kLongest) - 1;
  void begin_part();
  void fill();

  const std::vector<MarkedPart>& parts_;
  const std::vector<MarkCode::Meaning> meanings_;
  ReadAhead ahead_;
  ChunkReader reader_;
  std::size_t part_ = 0;    // the next one
  std::size_t place_ = 0;   // the next one of the part before it
  std::uint64_t left_ = 0;  // marks of that part
  Bytes block_;             // what is left of it
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;  // of bits_; those behind the end of a part are zeros
};

}  // namespace spillway
