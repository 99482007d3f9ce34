#include "storage/block_reader.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

BlockReader::BlockReader(const BlockFile& file, Budget& budget, Ahead ahead, std::uint64_t first, std::uint64_t last)
    : file_(file), first_(first) {
  last = std::min(last, file.blocks());
  prepare(budget, ahead, first < last ? last - first : 0);
}

BlockReader::BlockReader(const BlockFile& file, Budget& budget, std::span<const std::uint64_t> numbers, Ahead ahead)
    : file_(file), numbers_(numbers) {
  SPILLWAY_CHECK(numbers.empty() || numbers.back() < file.blocks());
  prepare(budget, ahead, numbers.size());
}

void BlockReader::prepare(Budget& budget, Ahead ahead, std::uint64_t total) {
  const BlockFormat& format = file_.format();
  total_ = total;
  blocks_ = ahead.blocks != 0 ? ahead.blocks : std::max<std::size_t>(1, (std::size_t{1} << 20) / format.block_bytes);
  blocks_ = static_cast<std::size_t>(std::min<std::uint64_t>(blocks_, std::max<std::uint64_t>(total, 1)));
  const std::uint64_t transfers = (total + blocks_ - 1) / blocks_;
  slots_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(ahead.buffers, numbers_.empty() ? transfers : total)));
  for (Slot& slot : slots_) slot.buffer = Buffer::need(budget, blocks_ * format.block_bytes, "reading " + file_.name());
  decoded_ = decoding_buffer(format, budget);
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
  const std::size_t block_bytes = file_.format().block_bytes;
  slot.request = file_.file_->read(slot.first * block_bytes, slot.buffer.first(slot.count * block_bytes));
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
  const std::size_t block_bytes = file_.format().block_bytes;
  const std::span<const std::byte> block = slot.buffer.all().subspan(within_ * block_bytes, block_bytes);
  const std::uint64_t number = slot.first + within_++;
  return open_block(block, file_.format(), number, file_.name(), decoded_.all());
}

}  // namespace spillway
