// Writes a file of blocks from beginning to end, asynchronously.
//
// Records are copied once, into the buffer that goes to the disk.  A record never spans two blocks.
#pragma once

#include <cstring>
#include <vector>

#include "storage/blocks/block_file.h"

namespace spillway {

// Write-behind: while one buffer is filled, the others are being written.  One buffer of one block
// works.
struct Behind {
  std::size_t buffers = 4;
  // Per buffer, which is written in one transfer; 0: as many as make 1 MiB.
  std::size_t blocks = 0;

  std::size_t blocks_for(const BlockFormat& format) const;
};

class BlockWriter {
 public:
  // Appends after the last block.  Draws buffers * blocks * block_bytes from the budget.  REQUIRES:
  // no other writer of the file; readers read only blocks that are finished or settled.
  BlockWriter(BlockFile& file, Budget& budget, Behind behind = {});
  // Continues with another file of the same format except for the file_id, reusing the buffers.
  // REQUIRES: finish() was called.
  void go_on(BlockFile& file);

  // Errors of earlier writes are thrown here and in finish().  REQUIRES: 1 <= size <=
  // format.capacity().
  void append(std::span<const std::byte> record) {
    std::memcpy(place(record.size()), record.data(), record.size());
    added(record.size(), 1);
  }

  // The same in two steps, for callers that construct a record in place: place() returns room for
  // at least `bytes` bytes, added() says how many were used.
  std::byte* place(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - next_)) make_room();
    return next_;
  }
  // Same as place(), for callers that have checked left().
  std::byte* next() { return next_; }
  void added(std::size_t bytes, std::uint64_t records) {
    next_ += bytes;
    records_ += records;
  }

  // Makes the next record begin a new block.  No effect if the open block is empty.
  void end_block();
  // Bytes left in the block.
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  // Number of the block that the next record goes to, if it fits.
  std::uint64_t block() const { return sealed_; }

  // Writes everything; all blocks can be read afterwards.  Only go_on() may follow.
  void finish();

  // Writes all full blocks, which can be read afterwards; the open block stays in memory.
  void settle();
  // Records that are only in memory, in order.  Valid until the next call of any other function.
  std::span<const std::byte> unwritten() const { return {begin_, next_}; }
  // Discards them.
  void drop_unwritten();

 private:
  struct Slot {
    Buffer buffer;
    Request request;
  };

  std::span<std::byte> open_block() const;
  void begin_block();
  void make_room();
  void send();

  BlockFile* file_;
  const std::size_t blocks_;  // per buffer
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;      // being filled
  std::size_t filled_ = 0;    // blocks in it
  std::uint64_t sealed_ = 0;  // blocks of the file
  std::byte* begin_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint64_t records_ = 0;
};

}  // namespace spillway
