// Reads blocks of a file in order, ahead of whoever looks at them.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "storage/block_file.h"

namespace spillway {

// How many buffers of how many blocks: while one is looked at, the others are on their way.  One of one block works.
struct Ahead {
  std::size_t buffers = 4;
  std::size_t blocks = 0;  // in a buffer, at most; 0: as many as make 1 MiB
};

class BlockReader {
 public:
  static constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

  // Blocks first, first+1, ... up to but not including last, or to the end of the file.  Draws
  // buffers * blocks * block_bytes from the budget, fewer if there are fewer blocks; with lz4 also room to decompress
  // one. REQUIRES: the file does not change meanwhile.
  BlockReader(const BlockFile& file, Budget& budget, Ahead ahead = {}, std::uint64_t first = 0,
              std::uint64_t last = kEnd);
  // These blocks.  REQUIRES: increasing numbers, which live as long as the reader.
  BlockReader(const BlockFile& file, Budget& budget, std::span<const std::uint64_t> numbers, Ahead ahead = {});

  // Nothing to read yet: buffers for files of this format, to be used again and again.
  BlockReader(const BlockFormat& format, Budget& budget, Ahead ahead = {});
  // Forgets what it was doing and reads these blocks.  REQUIRES: the same format, but for the file_id.
  void read(const BlockFile& file, std::uint64_t first = 0, std::uint64_t last = kEnd);
  // Forgets what it was doing; the file may go.
  void stop();

  // Valid until the next call; nothing at the end.  Throws Error.
  std::optional<Block> next();

 private:
  struct Slot {
    Buffer buffer;
    Request request;
    std::uint64_t first = 0;  // blocks first .. first+count-1 are in the buffer, or on their way
    std::size_t count = 0;
  };

  void prepare(const BlockFormat& format, Budget& budget, Ahead ahead, std::uint64_t most_transfers);
  void begin(std::uint64_t total);
  std::uint64_t number_at(std::uint64_t i) const { return numbers_.empty() ? first_ + i : numbers_[i]; }
  void ask(Slot& slot);

  const BlockFile* file_ = nullptr;
  std::span<const std::uint64_t> numbers_;  // empty: all from first_ on
  std::uint64_t first_ = 0;
  std::uint64_t total_ = 0;  // blocks to be read
  std::uint64_t asked_ = 0;  // of them
  std::size_t blocks_ = 1;   // in a buffer
  std::vector<Slot> slots_;
  std::size_t slot_ = 0;    // being looked at
  std::size_t within_ = 0;  // block in it that is next
  bool waited_ = false;     // for the slot
  Buffer decoded_;
};

}  // namespace spillway
