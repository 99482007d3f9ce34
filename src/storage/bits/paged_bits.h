// Words of bits that are on disk, with as many pages in memory as a budget allows.
//
// For vectors of bits that do not fit into memory, and are read and written mostly near to where
// that was done before: the page that was not used for the longest time, about, gives way.  Pages
// that were never written to are zero, and are nowhere.  Damage, and pages that an earlier write
// left behind, are noticed.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/memory/claim.h"
#include "base/memory/pages.h"
#include "storage/blocks/block_file.h"

namespace spillway {

class PagedBits {
 public:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::uint64_t kPageWords = (kPageBytes - kBlockHeaderBytes) / 8;

  // All words are zero.  `bytes`: of memory for pages, two pages at least.  Throws Error(usage) and
  // Error(memory) if the budget refuses, and errors of the disk.
  PagedBits(Budget& budget, Disk& disk, std::uint64_t words, std::uint64_t bytes);

  // Any thread.  All threads agree on one order of all calls.  These throw Error(integrity), and
  // errors of the disk.
  std::uint64_t load(std::uint64_t word);
  void store(std::uint64_t word, std::uint64_t value);
  // These return the previous value.
  std::uint64_t fetch_or(std::uint64_t word, std::uint64_t bits);
  std::uint64_t fetch_and(std::uint64_t word, std::uint64_t bits);
  // All words become zero.
  void clear();

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Page {
    std::uint32_t slot = kNone;   // in memory
    std::uint32_t block = kNone;  // in the file
    std::uint64_t version = 0;    // of that block
    bool is_zero = true;          // unless it is in memory; what the block has does not count
  };
  struct Slot {
    std::uint32_t page = kNone;
    bool used = false;     // since the hand came by
    bool changed = false;  // since it was read or written
  };

  // REQUIRES for all of them: the lock is held.
  std::uint64_t* at(std::uint64_t word, bool changes);
  std::uint32_t free_slot();
  void write(Page& page);
  void read(const Page& page, std::uint32_t slot);
  std::byte* bytes_of(std::uint32_t slot) const { return memory_.data() + slot * kPageBytes; }

  std::mutex mutex_;
  Claim claim_;  // for the tables
  std::vector<Page> pages_;
  std::vector<Slot> slots_;
  Pages memory_;
  BlockFile file_;
  std::uint32_t hand_ = 0;  // the slot that is asked next whether it can be freed
};

}  // namespace spillway
