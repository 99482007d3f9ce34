#include "storage/blocks/block_reader.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

BlockReader::BlockReader(const BlockFile& file, Budget& budget, Ahead ahead, std::uint64_t first,
                         std::uint64_t last) {
  last = std::min(last, file.blocks());
  prepare(file.format(), budget, ahead, first < last ? last - first : 0);
  read(file, first, last);
}

BlockReader::BlockReader(const BlockFile& file, Budget& budget,
                         std::span<const std::uint64_t> numbers, Ahead ahead)
    : file_(&file), numbers_(numbers) {
  SPILLWAY_CHECK(numbers.empty() || numbers.back() < file.blocks());
  prepare(file.format(), budget, ahead, numbers.size());
  begin(numbers.size());
}

BlockReader::BlockReader(const BlockFormat& format, Budget& budget, Ahead ahead) {
  prepare(format, budget, ahead, kEnd);
}

// Buffers for `total` blocks, fewer than asked for if they need no more.
void BlockReader::prepare(const BlockFormat& format, Budget& budget, Ahead ahead,
                          std::uint64_t total) {
  const std::size_t wanted =
      ahead.blocks != 0 ? ahead.blocks
                        : std::max<std::size_t>(1, (std::size_t{1} << 20) / format.block_bytes);
  blocks_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(total, 1, wanted));
  const std::uint64_t transfers =
      numbers_.empty() ? total / blocks_ + (total % blocks_ != 0 ? 1 : 0) : total;
  slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(ahead.buffers, transfers)));
  for (Slot& slot : slots_)
    slot.buffer = Buffer::need(budget, blocks_ * format.block_bytes, "reading blocks");
}

void BlockReader::read(const BlockFile& file, std::uint64_t first, std::uint64_t last) {
  stop();
  file_ = &file;
  first_ = first;
  last = std::min(last, file.blocks());
  begin(first < last ? last - first : 0);
}

void BlockReader::stop() {
  for (Slot& slot : slots_) {
    slot.request = {};
    slot.count = 0;
  }
  numbers_ = {};
  total_ = asked_ = 0;
  slot_ = within_ = 0;
  waited_ = false;
}

void BlockReader::begin(std::uint64_t total) {
  total_ = total;
  for (Slot& slot : slots_) ask(slot);
}

// Asks for as many of the next blocks as lie side by side and go into a buffer.
void BlockReader::ask(Slot& slot) {
  slot.count = 0;
  if (asked_ == total_) return;
  slot.first = number_at(asked_);
  while (slot.count < blocks_ && asked_ < total_ && number_at(asked_) == slot.first + slot.count) {
    ++slot.count;
    ++asked_;
  }
  const std::size_t block_bytes = file_->format().block_bytes;
  slot.request =
      file_->file_->read(slot.first * block_bytes, slot.buffer.first(slot.count * block_bytes));
}

std::optional<Block> BlockReader::next() {
  if (slots_.empty()) return std::nullopt;
  if (waited_ && within_ == slots_[slot_].count) {  // what is in this buffer is no longer looked at
    ask(slots_[slot_]);
    slot_ = (slot_ + 1) % slots_.size();
    within_ = 0;
    waited_ = false;
  }
  Slot& slot = slots_[slot_];
  if (slot.count == 0) return std::nullopt;
  if (!waited_) slot.request.wait();
  waited_ = true;
  const std::size_t block_bytes = file_->format().block_bytes;
  const std::span<const std::byte> block =
      slot.buffer.all().subspan(within_ * block_bytes, block_bytes);
  const std::uint64_t number = slot.first + within_++;
  return open_block(block, file_->format(), number, file_->name());
}

}  // namespace spillway
