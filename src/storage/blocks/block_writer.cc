#include "storage/blocks/block_writer.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

std::size_t Behind::blocks_for(const BlockFormat& format) const {
  return blocks != 0 ? blocks
                     : std::max<std::size_t>(1, (std::size_t{1} << 20) / format.block_bytes);
}

BlockWriter::BlockWriter(BlockFile& file, Budget& budget, Behind behind)
    : file_(&file),
      blocks_(behind.blocks_for(file.format())),
      slots_(behind.buffers),
      sealed_(file.blocks()) {
  SPILLWAY_CHECK(behind.buffers > 0);
  for (Slot& slot : slots_)
    slot.buffer =
        Buffer::need(budget, blocks_ * file.format().block_bytes, "writing " + file.name());
  begin_block();
}

void BlockWriter::go_on(BlockFile& file) {
  SPILLWAY_CHECK(file.format().block_bytes == file_->format().block_bytes);
  file_ = &file;
  sealed_ = file.blocks();
  begin_block();
}

std::span<std::byte> BlockWriter::open_block() const {
  return slots_[slot_].buffer.all().subspan(filled_ * file_->format().block_bytes,
                                            file_->format().block_bytes);
}

void BlockWriter::begin_block() {
  begin_ = next_ = open_block().data() + kBlockHeaderBytes;
  end_ = begin_ + file_->format().capacity();
}

// Hands the buffer to the disk and waits until the next one has come back.
void BlockWriter::send() {
  if (filled_ == 0) return;
  const std::size_t bytes = filled_ * file_->format().block_bytes;
  Slot& full = slots_[slot_];
  full.request =
      file_->file_->write(sealed_ * file_->format().block_bytes - bytes, full.buffer.first(bytes));
  filled_ = 0;
  slot_ = (slot_ + 1) % slots_.size();
  slots_[slot_].request.wait();
}

void BlockWriter::make_room() {
  SPILLWAY_CHECK(next_ != begin_);  // otherwise the record is larger than a block
  end_block();
}

void BlockWriter::end_block() {
  if (next_ == begin_) return;
  const auto bytes = static_cast<std::size_t>(next_ - begin_);
  seal_block(open_block(), file_->format(), {sealed_++, records_, bytes});
  records_ = 0;
  if (++filled_ == blocks_) send();
  begin_block();
}

void BlockWriter::finish() {
  end_block();
  send();
  for (Slot& slot : slots_) slot.request.wait();
  file_->blocks_ = sealed_;
}

void BlockWriter::settle() {
  const auto open = static_cast<std::size_t>(next_ - begin_);
  const std::byte* from = begin_;
  if (filled_ != 0) {
    send();  // goes to the next buffer: what the open block holds must follow
    begin_block();
    std::memmove(begin_, from, open);
    next_ = begin_ + open;
  }
  for (Slot& slot : slots_) slot.request.wait();
  file_->blocks_ = sealed_;
}

void BlockWriter::drop_unwritten() {
  next_ = begin_;
  records_ = 0;
}

}  // namespace spillway
