// A file of blocks: block i lies at i times the size of a block.
//
// A BlockWriter writes it from the beginning to the end, and goes on there later; what it has finished is read by any
// number of BlockReaders and BlockLookups, in any threads.  The file goes with this object unless keep() was called.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/budget.h"
#include "io/disk.h"
#include "storage/block.h"

namespace spillway {

class BlockFile {
 public:
  // A new file, empty.
  BlockFile(Disk& disk, std::string name, const BlockFormat& format);
  // One that is there and has been kept, and stays.  Throws Error(integrity) when it has
  // not the size of whole blocks.
  static BlockFile open(Disk& disk, std::string name, const BlockFormat& format);
  BlockFile(BlockFile&&) noexcept;
  BlockFile& operator=(BlockFile&&) = delete;
  ~BlockFile();

  void keep() { kept_ = true; }
  void sync() { file_->sync(); }
  // Throws away what is in it.  The next contents get another file_id, so that old blocks are not taken for new ones.
  void clear(std::uint64_t file_id);

  // One block, at once.  The caller has put the payload behind the place for the header.
  // REQUIRES: number <= blocks(), a sector-aligned block; no writer.
  void write(std::uint64_t number, std::span<std::byte> block, std::size_t payload_bytes, std::uint64_t records);
  // One block, at once, into `block`, which the payload is a part of.  REQUIRES: number < blocks(), not lz4.
  Block read(std::uint64_t number, std::span<std::byte> block) const { return read(number, block, {}); }
  // The last block is going to be written again.
  void forget_last() { --blocks_; }

  const std::string& name() const { return file_->name(); }
  const BlockFormat& format() const { return format_; }
  std::uint64_t blocks() const { return blocks_; }  // what a writer has finished
  std::uint64_t bytes() const { return blocks_ * format_.block_bytes; }

 private:
  friend class BlockWriter;
  friend class BlockReader;
  friend class BlockLookup;

  BlockFile(Disk& disk, std::string name, const BlockFormat& format, std::unique_ptr<File> file);
  Block read(std::uint64_t number, std::span<std::byte> block, std::span<std::byte> decoded) const;

  Disk* disk_;
  std::string short_name_;
  BlockFormat format_;
  std::unique_ptr<File> file_;
  std::uint64_t blocks_ = 0;
  bool kept_ = false;
};

// Reads blocks one by one, anywhere in a file.  For one thread.
class BlockLookup {
 public:
  // Draws one block from the budget, with lz4 also room to decompress it.
  BlockLookup(const BlockFile& file, Budget& budget);

  // Valid until the next read().  REQUIRES: number < file.blocks().
  Block read(std::uint64_t number);

 private:
  const BlockFile& file_;
  Buffer block_;
  Buffer decoded_;
};

// The room that blocks of this format are decompressed into; none is needed without lz4.
Buffer decoding_buffer(const BlockFormat& format, Budget& budget);

}  // namespace spillway
