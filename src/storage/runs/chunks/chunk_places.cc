#include "storage/runs/chunks/chunk_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBits = 64;

// REQUIRES: count < kBits, as a range is never longer than a stripe.
std::uint64_t bits(std::uint64_t first, std::uint64_t count) {
  return ((std::uint64_t{1} << count) - 1) << first;
}

}  // namespace

ChunkPlaces::~ChunkPlaces() {
  for (std::uint64_t i = 0; i < kFiles; ++i) {
    if (!files_[i]) continue;
    files_[i].reset();
    try {
      disk_.remove(name(i));
    } catch (const Error&) {
      // What cannot be removed now goes with the disk.
    }
  }
}

ChunkPlaces::Range ChunkPlaces::take(std::uint64_t most) {
  const std::lock_guard lock(mutex_);
  while (full_ < taken_.size() && taken_[full_] == ~std::uint64_t{0}) ++full_;
  if (full_ == taken_.size()) taken_.push_back(0);
  const std::uint64_t word = taken_[full_];
  const auto first = static_cast<std::uint64_t>(std::countr_one(word));
  const auto free = static_cast<std::uint64_t>(std::countr_zero(word >> first));
  const Range range{full_ * kBits + first, std::min({most, free, kStripe - first % kStripe})};
  std::unique_ptr<File>& file = files_[range.first / kStripe % kFiles];
  if (!file) file = disk_.create(name(range.first / kStripe % kFiles));
  taken_[full_] |= bits(first, range.count);
  return range;
}

void ChunkPlaces::give_back(const Range& places) {
  if (places.count == 0) return;
  const std::lock_guard lock(mutex_);
  const std::size_t word = places.first / kBits;
  taken_[word] &= ~bits(places.first % kBits, places.count);
  full_ = std::min(full_, word);
}

ChunkPlaces::At ChunkPlaces::at(std::uint64_t place) const {
  const std::uint64_t stripe = place / kStripe;
  return {*files_[stripe % kFiles], stripe / kFiles * kStripe + place % kStripe};
}

std::string ChunkPlaces::name(std::uint64_t file) const {
  return fmt::format("runs-{:08x}-{}", format_.run_id, file);
}

BlockFormat ChunkPlaces::format_of(const Written& what) const {
  BlockFormat format = format_;
  format.file_id = what.id;
  return format;
}

Request ChunkPlaces::write(const Written& to, std::span<std::byte> block,
                           std::size_t payload_bytes) {
  const At where = at(to.place);
  block = block.first(format_.block_bytes);
  seal_block(block, format_of(to), {where.block, 1, payload_bytes});
  return where.file.write(where.block * format_.block_bytes, block);
}

Request ChunkPlaces::ask(const Written& what, std::span<std::byte> block) const {
  const At where = at(what.place);
  return where.file.read(where.block * format_.block_bytes, block.first(format_.block_bytes));
}

Block ChunkPlaces::look(const Written& what, std::span<const std::byte> block) const {
  const At where = at(what.place);
  return open_block(block.first(format_.block_bytes), format_of(what), where.block,
                    where.file.name());
}

}  // namespace spillway
