// The bytes of all parts of a perfect hash, one after the other: in memory, or in a file of blocks
// of which a few are kept in memory.  One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/memory/claim.h"
#include "base/memory/pages.h"
#include "storage/blocks/block_file.h"

namespace spillway {

class PartBytes {
 public:
  virtual ~PartBytes() = default;

  // Puts bytes after those that are there.
  virtual void add(std::span<const std::uint8_t> bytes) = 0;
  // To be called after the last add(), before anything is read.
  virtual void finish() = 0;

  virtual std::uint8_t byte(std::uint64_t at) = 0;
  // Two bytes.  REQUIRES: `at` is even.
  virtual std::uint16_t pair(std::uint64_t at) = 0;

  virtual std::uint64_t memory_bytes() const = 0;
  virtual std::uint64_t disk_bytes() const = 0;
  virtual std::uint64_t reads() const = 0;  // of blocks, from the disk
};

// Throw Error(memory) or Error(usage) if the budget refuses.
std::unique_ptr<PartBytes> part_bytes_in_memory(Budget& budget);
// Keeps `blocks` blocks of 4 KiB in memory.  REQUIRES: at least one.
std::unique_ptr<PartBytes> part_bytes_on_disk(Budget& budget, Disk& disk, std::size_t blocks);

}  // namespace spillway
