// States on disk, sorted by their hashes: tableDD of Wu et al., and their linear hash-sorting
// (LHS).
//
// A record is the hash of a state and the state.  Records with the same hash are neighbours, in any
// order.  The first hash of each block is in memory, drawn from the budget, so that a lookup reads
// one block, or more where a hash is that of many states.  Blocks are rewritten in place, so the
// file is of no use after a crash.  One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/memory/claim.h"
#include "io/data/buffer.h"
#include "papers/storage/store.h"
#include "storage/blocks/block.h"

namespace spillway {

class HashSortedTable {
 public:
  // The words of a row of the store are those of a record: a hash and a state.
  explicit HashSortedTable(Store& store);
  ~HashSortedTable();
  HashSortedTable(const HashSortedTable&) = delete;
  HashSortedTable& operator=(const HashSortedTable&) = delete;

  std::uint64_t size() const { return size_; }

  // REQUIRES: the record has the hash of its state.
  bool contains(const Word* record);

  // LHS: merges sorted records into the table, backwards and in place.
  //   r := size;  w := r + count;  extend the file to w records
  //   while w > 0, and there are records to insert or w is not the beginning of a block:
  //     w := w - 1;  record w := the greater of record r - 1 and the last one to insert, taken
  // Reads each block of the table once at most, and writes each block of the larger table once at
  // most.  REQUIRES: none of them is in the table.
  void insert(const Word* records, std::uint64_t count);

  const Word* record(std::uint64_t i);  // valid until the next call of anything

  // Blocks, by insertions; and read by lookups.
  std::uint64_t read_blocks() const { return read_blocks_; }
  std::uint64_t written_blocks() const { return written_blocks_; }
  std::uint64_t looked_up_blocks() const { return looked_up_blocks_; }

 private:
  static constexpr std::uint64_t kNoBlock = UINT64_MAX;

  void read(std::uint64_t block);  // into read_, unless it is there
  void write(std::uint64_t block, std::uint64_t records);
  void reserve(std::uint64_t records);
  Word* place(const Buffer& block, std::uint64_t i) const {
    return reinterpret_cast<Word*>(block.data() + kBlockHeaderBytes) + i % block_records_ * words_;
  }

  Store& store_;
  const std::size_t words_;  // of a record
  const BlockFormat format_;
  const std::size_t block_records_;
  const std::string name_;
  std::unique_ptr<File> file_;
  Buffer read_, written_;
  std::uint64_t block_ = kNoBlock;  // in read_
  std::uint64_t size_ = 0;
  std::vector<Word> first_hashes_;  // of each block
  std::vector<Claim> claims_;       // for them
  std::uint64_t read_blocks_ = 0, written_blocks_ = 0, looked_up_blocks_ = 0;
};

}  // namespace spillway
