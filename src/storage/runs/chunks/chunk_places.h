// Room for chunks on disk: places of one size in a few files, reused as soon as they are free.
//
// A file per run would have to be removed with it.  That takes milliseconds on file systems that
// report free blocks to the device, and the next run would have to allocate blocks again.  Files
// never shrink: their size is the most that was in use at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/data/disk.h"
#include "storage/blocks/block.h"

namespace spillway {

class ChunkPlaces {
 public:
  // `format`: of all blocks, except for the file_id, which is new for each block written.
  ChunkPlaces(Disk& disk, const BlockFormat& format) : disk_(disk), format_(format) {}
  // REQUIRES: all places are returned, no transfer is under way.
  ~ChunkPlaces();
  ChunkPlaces(const ChunkPlaces&) = delete;
  ChunkPlaces& operator=(const ChunkPlaces&) = delete;

  // Adjacent places.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  // Allocates between 1 and `most` adjacent places.  This and all functions below: any thread.
  Range take(std::uint64_t most);
  void give_back(const Range& places);

  // A block that was written, and where.
  struct Written {
    std::uint64_t place = 0;
    std::uint64_t id = 0;
  };
  // Starts to write a block.  The payload follows the room for the header.
  Request write(const Written& to, std::span<std::byte> block, std::size_t payload_bytes);
  std::uint64_t new_id() { return ++last_id_; }
  // Reads one block in two steps: ask() starts the read; look() checks the block once the request
  // has been waited for.
  Request ask(const Written& what, std::span<std::byte> block) const;
  Block look(const Written& what, std::span<const std::byte> block) const;

  std::size_t block_bytes() const { return format_.block_bytes; }

 private:
  static constexpr std::uint64_t kFiles = 8;  // to make use of several directories
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
  std::size_t full_ = 0;              // words of it before the first with a free place
  std::array<std::unique_ptr<File>, kFiles> files_;
};

// Owns a place on disk and frees it on destruction.
class OwnPlace {
 public:
  OwnPlace() = default;
  OwnPlace(ChunkPlaces& places, const ChunkPlaces::Written& written)
      : places_(&places), written_(written) {}
  OwnPlace(OwnPlace&& other) noexcept
      : places_(std::exchange(other.places_, nullptr)), written_(other.written_) {}
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
