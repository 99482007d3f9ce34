// Bytes on disk that are only ever added to, and can be read at any place.
//
// They are the payloads of the blocks of a file, one after the other, so damage is noticed.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "storage/blocks/block_file.h"

namespace spillway {

class ByteFile {
 public:
  // Draws one block from the budget; it is removed with this object.  REQUIRES: both outlive it.
  ByteFile(Disk& disk, Budget& budget, std::string name, std::size_t block_bytes);

  // Returns where the bytes begin.  Any thread, while no other reads.  Throws Error(system) and
  // Error(disk).
  std::uint64_t append(std::span<const std::uint8_t> bytes);
  // After the last append(), before any read: writes what is still in memory.  More can be added
  // later.
  void settle();

  std::uint64_t size() const { return size_; }

  // Reads from one thread.  The block it read last stays in memory.
  class Reader {
   public:
    // Draws one block from the budget.
    Reader(const ByteFile& file, Budget& budget)
        : file_(&file), buffer_(Buffer::need(budget, file.block_bytes(), "reading a block")) {}
    // REQUIRES: settled.
    void read(std::uint64_t at, std::span<std::uint8_t> out);

   private:
    const ByteFile* file_;
    Buffer buffer_;
    std::optional<std::uint64_t> number_;  // of the block in the buffer
    std::span<const std::byte> payload_;
  };

 private:
  std::size_t block_bytes() const { return file_.format().block_bytes; }
  std::size_t capacity() const { return file_.format().capacity(); }
  void write();

  BlockFile file_;
  Buffer open_;           // the block being filled
  std::size_t used_ = 0;  // bytes of its payload
  bool written_ = true;   // as it is
  std::uint64_t size_ = 0;
  std::mutex mutex_;
};

}  // namespace spillway
