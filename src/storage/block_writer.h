// Writes a file of blocks from the beginning to the end, behind the back of whoever fills them.
//
// Records are copied once, into the buffer that goes to the disk.  A record never lies across two blocks.
// With lz4 they are gathered first and compressed into the block, as many as go in.
#pragma once

#include <cstring>
#include <vector>

#include "storage/block_file.h"

namespace spillway {

// How many buffers of how many blocks: while one is filled, the others are on their way.  One of one block works.
struct Behind {
  std::size_t buffers = 4;
  std::size_t blocks = 0;  // in a buffer, which goes in one transfer; 0: as many as make 1 MiB

  std::size_t blocks_for(const BlockFormat& format) const;
};

class BlockWriter {
 public:
  // Draws buffers * blocks * block_bytes from the budget, with lz4 also what is gathered.
  // Goes on behind the last block.  REQUIRES: no other writer of the file; no readers of what is not finished or
  // settled.
  BlockWriter(BlockFile& file, Budget& budget, Behind behind = {});
  // The same buffers for another file of the same format, but for its file_id.  REQUIRES: finish() was called.
  void go_on(BlockFile& file);

  // Errors of earlier writes are thrown here and in finish().  REQUIRES: 1 <= size <= format.capacity(); with lz4:
  // size is a multiple of record_bytes.
  void append(std::span<const std::byte> record) {
    std::memcpy(place(record.size()), record.data(), record.size());
    added(record.size(), 1);
  }

  // The same in two steps, for those who write a record into its place themselves: where it goes, if it
  // takes no more than `bytes`; and how many bytes it has taken.
  std::byte* place(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - next_)) make_room();
    return next_;
  }
  // The same where left() has been looked at.
  std::byte* next() { return next_; }
  void added(std::size_t bytes, std::uint64_t records) {
    next_ += bytes;
    records_ += records;
  }

  // The next record begins a new block; nothing happens in an empty one.
  void end_block();
  // Bytes left in the block, or with lz4 before the next block is packed.
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  // The number of the block that the next record goes to, if there is enough left of it.  REQUIRES: not lz4.
  std::uint64_t block() const { return sealed_; }

  // Everything is written, and readers may come.  Only go_on() may be called after it.
  void finish();

  // Blocks that are full are written, and readers may come for them; the open one stays in memory.
  void settle();
  // What is in memory only, in the order in which it was appended.  Valid until the next call of any other function.
  std::span<const std::byte> unwritten() const { return {begin_, next_}; }
  // Forgets it.
  void drop_unwritten();

 private:
  struct Slot {
    Buffer buffer;
    Request request;
  };

  std::span<std::byte> open_block() const;
  void begin();
  void begin_block();
  void make_room();
  void seal(std::size_t payload_bytes, std::size_t stored_bytes, std::uint64_t records);
  void send();
  void pack_one();
  std::size_t pack_into_block(std::size_t& taken);

  BlockFile* file_;
  const std::size_t blocks_;  // in a buffer
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;      // being filled
  std::size_t filled_ = 0;    // blocks of it
  std::uint64_t sealed_ = 0;  // blocks of the file
  Buffer gathered_;           // with lz4
  std::size_t guess_ = 0;     // with lz4: bytes that will probably go into a block
  std::byte* begin_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint64_t records_ = 0;
};

}  // namespace spillway
