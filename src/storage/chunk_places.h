// Room for chunks on disk: places of one size in a few files, used again as soon as they are free.
//
// A file for each run would have to go with it.  That takes milliseconds where the file system tells the device which
// blocks are free, and the next run would have to ask for blocks again.  Files never get shorter: they are as long as
// the most that there was at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/disk.h"
#include "storage/block.h"

namespace spillway {

class ChunkPlaces {
 public:
  // `format`: of all blocks, but for their file_id, which is another one for each block that is written.
  ChunkPlaces(Disk& disk, const BlockFormat& format) : disk_(disk), format_(format) {}
  // REQUIRES: all places have gone back, nobody reads or writes.
  ~ChunkPlaces();
  ChunkPlaces(const ChunkPlaces&) = delete;
  ChunkPlaces& operator=(const ChunkPlaces&) = delete;

  // Places side by side.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  // One place at least, and at most so many, which nobody else has.  Any thread, as the others.
  Range take(std::uint64_t most);
  void give_back(const Range& places);

  // What was written, and where.
  struct Written {
    std::uint64_t place = 0;
    std::uint64_t id = 0;
  };
  // Begins to write a block, whose payload stands behind the room for its header.
  Request write(const Written& to, std::span<std::byte> block, std::size_t payload_bytes);
  std::uint64_t new_id() { return ++last_id_; }
  // One block in two steps: asks for it; and, when the request has been waited for, looks at it.
  Request ask(const Written& what, std::span<std::byte> block) const;
  Block look(const Written& what, std::span<const std::byte> block) const;

  std::size_t block_bytes() const { return format_.block_bytes; }

 private:
  static constexpr std::uint64_t kFiles = 8;  // so that several directories are used
  static constexpr std::uint64_t kStripe = 16;
  struct At {
    File& file;
    std::uint64_t block;
  };
  At at(std::uint64_t place) const;
  std::string name(std::uint64_t file) const;
  BlockFormat format_of(const Written& what) const;

  Disk& disk_;
  const BlockFormat format_;
  std::atomic<std::uint64_t> last_id_{0};
  std::mutex mutex_;
  std::vector<std::uint64_t> taken_;  // a bit for each place
  std::size_t full_ = 0;              // so many words of it have no place free
  std::array<std::unique_ptr<File>, kFiles> files_;
};

// What was written to a place, which goes back with this.
class OwnPlace {
 public:
  OwnPlace() = default;
  OwnPlace(ChunkPlaces& places, const ChunkPlaces::Written& written) : places_(&places), written_(written) {}
  OwnPlace(OwnPlace&& other) noexcept : places_(std::exchange(other.places_, nullptr)), written_(other.written_) {}
  OwnPlace& operator=(OwnPlace&&) = delete;
  ~OwnPlace() {
    if (places_ != nullptr) places_->give_back({written_.place, 1});
  }

  Request ask(std::span<std::byte> block) const { return places_->ask(written_, block); }
  Block look(std::span<const std::byte> block) const { return places_->look(written_, block); }

 private:
  ChunkPlaces* places_ = nullptr;
  ChunkPlaces::Written written_;
};

}  // namespace spillway
