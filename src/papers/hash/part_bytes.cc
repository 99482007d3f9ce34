#include "papers/hash/part_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/error.h"

namespace spillway {
namespace {

class BytesInMemory final : public PartBytes {
 public:
  explicit BytesInMemory(Budget& budget) : budget_(budget) {}

  void add(std::span<const std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      if (pages_.size() * kPage == size_) {
        claims_.emplace_back(budget_, kPage);
        pages_.push_back(std::make_unique<std::uint8_t[]>(kPage));
      }
      const std::size_t some = std::min<std::size_t>(bytes.size(), kPage - size_ % kPage);
      std::memcpy(pages_.back().get() + size_ % kPage, bytes.data(), some);
      size_ += some;
      bytes = bytes.subspan(some);
    }
  }
  void finish() override {}
  std::uint8_t byte(std::uint64_t at) override { return pages_[at / kPage][at % kPage]; }
  std::uint16_t pair(std::uint64_t at) override {
    std::uint16_t both = 0;
    std::memcpy(&both, pages_[at / kPage].get() + at % kPage, sizeof both);
    return both;
  }
  std::uint64_t memory_bytes() const override { return pages_.size() * kPage; }
  std::uint64_t disk_bytes() const override { return 0; }
  std::uint64_t reads() const override { return 0; }

 private:
  static constexpr std::uint64_t kPage = 16 << 10;

  Budget& budget_;
  std::vector<Claim> claims_;
  std::vector<std::unique_ptr<std::uint8_t[]>> pages_;
  std::uint64_t size_ = 0;
};

class BytesOnDisk final : public PartBytes {
 public:
  BytesOnDisk(Budget& budget, Disk& disk, std::size_t blocks)
      : format_{std::random_device()(), 1, kSector},
        file_(disk, fmt::format("hash-{:08x}", format_.run_id), format_),
        numbers_(blocks, kNone),
        buffer_(Buffer::need(budget, blocks * kSector, "a perfect hash on disk")) {}

  void add(std::span<const std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const std::size_t some = std::min(bytes.size(), format_.capacity() - filled_);
      std::memcpy(payload(0) + filled_, bytes.data(), some);
      filled_ += some;
      bytes = bytes.subspan(some);
      if (filled_ == format_.capacity()) write();
    }
  }
  void finish() override {
    if (filled_ != 0) write();
  }
  std::uint8_t byte(std::uint64_t at) override { return *find(at); }
  std::uint16_t pair(std::uint64_t at) override {
    std::uint16_t both = 0;
    std::memcpy(&both, find(at), sizeof both);
    return both;
  }
  std::uint64_t memory_bytes() const override { return buffer_.size() + numbers_.size() * 8; }
  std::uint64_t disk_bytes() const override { return file_.bytes(); }
  std::uint64_t reads() const override { return reads_; }

 private:
  static constexpr std::uint64_t kNone = UINT64_MAX;

  std::span<std::byte> block(std::size_t i) const {
    return buffer_.all().subspan(i * kSector, kSector);
  }
  std::uint8_t* payload(std::size_t i) const {
    return reinterpret_cast<std::uint8_t*>(block(i).data() + kBlockHeaderBytes);
  }
  void write() {
    file_.write(file_.blocks(), block(0), filled_, filled_);
    filled_ = 0;
  }
  const std::uint8_t* find(std::uint64_t at) {
    const std::uint64_t number = at / format_.capacity();
    const std::size_t i = number % numbers_.size();
    if (numbers_[i] != number) {
      numbers_[i] = kNone;  // in case reading fails
      file_.read(number, block(i));
      numbers_[i] = number;
      ++reads_;
    }
    return payload(i) + at % format_.capacity();
  }

  const BlockFormat format_;
  BlockFile file_;
  std::vector<std::uint64_t> numbers_;  // of the blocks in memory
  Buffer buffer_;                       // of them; while bytes are added, the first is the last one
  std::size_t filled_ = 0;
  std::uint64_t reads_ = 0;
};

}  // namespace

std::unique_ptr<PartBytes> part_bytes_in_memory(Budget& budget) {
  return std::make_unique<BytesInMemory>(budget);
}

std::unique_ptr<PartBytes> part_bytes_on_disk(Budget& budget, Disk& disk, std::size_t blocks) {
  return std::make_unique<BytesOnDisk>(budget, disk, blocks);
}

}  // namespace spillway
