#include "storage/blocks/block_writer.h"

#include <lz4.h>

#include <algorithm>

#include "base/error.h"

namespace spillway {

std::size_t Behind::blocks_for(const BlockFormat& format) const {
  return blocks != 0 ? blocks
                     : std::max<std::size_t>(1, (std::size_t{1} << 20) / format.block_bytes);
}

BlockWriter::BlockWriter(BlockFile& file, Budget& budget, Behind behind)
    : file_(&file), blocks_(behind.blocks_for(file.format())), slots_(behind.buffers) {
  SPILLWAY_CHECK(behind.buffers > 0);
  const BlockFormat& format = file.format();
  for (Slot& slot : slots_)
    slot.buffer = Buffer::need(budget, blocks_ * format.block_bytes, "writing " + file.name());
  if (format.lz4)
    gathered_ = Buffer::need(budget, format.largest_payload(), "compressing " + file.name());
  begin();
}

void BlockWriter::begin() {
  const BlockFormat& format = file_->format();
  sealed_ = file_->blocks();
  if (!format.lz4) return begin_block();
  begin_ = next_ = gathered_.data();
  end_ = begin_ + format.largest_payload() / format.record_bytes * format.record_bytes;
}

void BlockWriter::go_on(BlockFile& file) {
  SPILLWAY_CHECK(file.format().block_bytes == file_->format().block_bytes &&
                 file.format().lz4 == file_->format().lz4);
  file_ = &file;
  begin();
}

std::span<std::byte> BlockWriter::open_block() const {
  return slots_[slot_].buffer.all().subspan(filled_ * file_->format().block_bytes,
                                            file_->format().block_bytes);
}

void BlockWriter::begin_block() {
  begin_ = next_ = open_block().data() + kBlockHeaderBytes;
  end_ = begin_ + file_->format().capacity();
}

void BlockWriter::seal(std::size_t payload_bytes, std::size_t stored_bytes, std::uint64_t records) {
  seal_block(open_block(), file_->format(), {sealed_, records, payload_bytes, stored_bytes});
  ++sealed_;
  if (++filled_ == blocks_) send();
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
  if (file_->format().lz4) return pack_one();
  end_block();
}

void BlockWriter::end_block() {
  if (file_->format().lz4) {
    while (next_ != begin_) pack_one();
    return;
  }
  if (next_ == begin_) return;
  const auto bytes = static_cast<std::size_t>(next_ - begin_);
  seal(bytes, bytes, records_);
  records_ = 0;
  begin_block();
}

// Compresses a beginning of what was gathered into the open block: returns the bytes it has become,
// sets `taken` to those it was.
std::size_t BlockWriter::pack_into_block(std::size_t& taken) {
  const BlockFormat& format = file_->format();
  const auto whole = [&](std::size_t bytes) {
    return bytes / format.record_bytes * format.record_bytes;
  };
  const auto gathered = static_cast<std::size_t>(next_ - begin_);
  const auto* from = reinterpret_cast<const char*>(begin_);
  auto* to = reinterpret_cast<char*>(open_block().data() + kBlockHeaderBytes);
  const auto room = static_cast<int>(format.capacity());
  // As many bytes as the last block has taken, if they go in.
  taken = std::min(gathered, whole(guess_));
  if (taken > format.capacity())
    if (const int bytes = LZ4_compress_default(from, to, static_cast<int>(taken), room)) {
      guess_ = taken + taken / 400;
      return static_cast<std::size_t>(bytes);
    }
  // Otherwise ask how many do, and cut behind a record.
  int fitting = static_cast<int>(gathered);
  LZ4_compress_destSize(from, to, &fitting, room);
  guess_ = static_cast<std::size_t>(fitting) - static_cast<std::size_t>(fitting) / 50;
  taken = std::min(gathered, whole(static_cast<std::size_t>(fitting)));
  if (taken > format.capacity())
    if (const int bytes = LZ4_compress_default(from, to, static_cast<int>(taken), room))
      return static_cast<std::size_t>(bytes);
  // What hardly gets smaller is stored as it is.
  taken = std::min(gathered, whole(format.capacity()));
  std::memcpy(to, from, taken);
  return taken;
}

void BlockWriter::pack_one() {
  std::size_t taken = 0;
  const std::size_t stored = pack_into_block(taken);
  const auto gathered = static_cast<std::size_t>(next_ - begin_);
  const std::uint64_t records = records_ * taken / gathered;
  seal(taken, stored, records);
  records_ -= records;
  std::memmove(begin_, begin_ + taken, gathered - taken);
  next_ -= taken;
}

void BlockWriter::finish() {
  end_block();
  send();
  for (Slot& slot : slots_) slot.request.wait();
  file_->blocks_ = sealed_;
}

void BlockWriter::settle() {
  const std::size_t open = file_->format().lz4 ? 0 : static_cast<std::size_t>(next_ - begin_);
  const std::byte* from = begin_;
  if (filled_ != 0) {
    send();  // goes to the next buffer: what the open block holds must follow
    if (!file_->format().lz4) {
      begin_block();
      std::memmove(begin_, from, open);
      next_ = begin_ + open;
    }
  }
  for (Slot& slot : slots_) slot.request.wait();
  file_->blocks_ = sealed_;
}

void BlockWriter::drop_unwritten() {
  next_ = begin_;
  records_ = 0;
}

}  // namespace spillway
