// Reads blocks of a file in order, ahead of the consumer.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "storage/blocks/block_file.h"

namespace spillway {

// Read-ahead: while one buffer is consumed, the others are being filled.  One buffer of one block
// works.
struct Ahead {
  std::size_t buffers = 4;
  std::size_t blocks = 0;  // per buffer, at most; 0: as many as make 1 MiB
};

class BlockReader {
 public:
  static constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

  // Reads blocks first, first+1, ... up to but not including `last`, or to the end of the file.
  // Draws buffers * blocks * block_bytes from the budget, less if there are fewer blocks.
  // REQUIRES: the file does not change meanwhile.
  BlockReader(const BlockFile& file, Budget& budget, Ahead ahead = {}, std::uint64_t first = 0,
              std::uint64_t last = kEnd);
  // Reads these blocks.  REQUIRES: increasing numbers, which outlive the reader.
  BlockReader(const BlockFile& file, Budget& budget, std::span<const std::uint64_t> numbers,
              Ahead ahead = {});

  // Allocates buffers for files of this format, to be reused by read().
  BlockReader(const BlockFormat& format, Budget& budget, Ahead ahead = {});
  // Abandons what it was reading and reads these blocks.  REQUIRES: the same format except for the
  // file_id.
  void read(const BlockFile& file, std::uint64_t first = 0, std::uint64_t last = kEnd);
  // Abandons what it was reading; the file may be destroyed afterwards.
  void stop();

  // Valid until the next call; std::nullopt at the end.  Throws Error.
  std::optional<Block> next();

 private:
  struct Slot {
    Buffer buffer;
    Request request;
    // Blocks first .. first+count-1 are in the buffer or being read.
    std::uint64_t first = 0;
    std::size_t count = 0;
  };

  void prepare(const BlockFormat& format, Budget& budget, Ahead ahead,
               std::uint64_t most_transfers);
  void begin(std::uint64_t total);
  std::uint64_t number_at(std::uint64_t i) const {
    return numbers_.empty() ? first_ + i : numbers_[i];
  }
  void ask(Slot& slot);

  const BlockFile* file_ = nullptr;
  std::span<const std::uint64_t> numbers_;  // empty: consecutive from first_ on
  std::uint64_t first_ = 0;
  std::uint64_t total_ = 0;  // blocks to read
  std::uint64_t asked_ = 0;  // of them requested
  std::size_t blocks_ = 1;   // per buffer
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;    // being consumed
  std::size_t within_ = 0;  // next block in it
  bool waited_ = false;     // for the slot
};

}  // namespace spillway
