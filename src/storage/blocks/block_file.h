// A file of blocks: block i is at offset i * block_bytes.
//
// A BlockWriter writes it from beginning to end and may append later.  Finished blocks can be read
// by any number of BlockReaders and BlockLookups, in any threads.  The destructor removes the file
// unless keep() was called.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/memory/budget.h"
#include "io/data/disk.h"
#include "storage/blocks/block.h"

namespace spillway {

class BlockFile {
 public:
  // Creates an empty file.
  BlockFile(Disk& disk, std::string name, const BlockFormat& format);
  // Opens an existing file, which is kept.  Throws Error(integrity) if its size is not a multiple
  // of block_bytes.
  static BlockFile open(Disk& disk, std::string name, const BlockFormat& format);
  BlockFile(BlockFile&&) noexcept;
  BlockFile& operator=(BlockFile&&) = delete;
  ~BlockFile();

  void keep() { kept_ = true; }
  void sync() { file_->sync(); }
  // Discards the contents.  The next contents get another file_id, so that stale blocks are not
  // mistaken for new ones.
  void clear(std::uint64_t file_id);

  // Writes one block synchronously.  The caller has put the payload after the room for the header.
  // REQUIRES: number <= blocks(), a sector-aligned block, no BlockWriter.
  void write(std::uint64_t number, std::span<std::byte> block, std::size_t payload_bytes,
             std::uint64_t records);
  // Reads one block synchronously.  The payload is a view into `block`.  REQUIRES: number <
  // blocks().
  Block read(std::uint64_t number, std::span<std::byte> block) const;
  // Drops the last block; the next write replaces it.
  void forget_last() { --blocks_; }

  const std::string& name() const { return file_->name(); }
  const BlockFormat& format() const { return format_; }
  std::uint64_t blocks() const { return blocks_; }  // finished by a writer
  std::uint64_t bytes() const { return blocks_ * format_.block_bytes; }

 private:
  friend class BlockWriter;
  friend class BlockReader;

  BlockFile(Disk& disk, std::string name, const BlockFormat& format, std::unique_ptr<File> file);

  Disk* disk_;
  std::string short_name_;
  BlockFormat format_;
  std::unique_ptr<File> file_;
  std::uint64_t blocks_ = 0;
  bool kept_ = false;
};

// Reads single blocks in any order.  One thread.
class BlockLookup {
 public:
  // Draws one block from the budget.
  BlockLookup(const BlockFile& file, Budget& budget);

  // Valid until the next read().  REQUIRES: number < file.blocks().
  Block read(std::uint64_t number);

 private:
  const BlockFile& file_;
  Buffer block_;
};

}  // namespace spillway
