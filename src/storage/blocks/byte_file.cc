#include "storage/blocks/byte_file.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace spillway {
namespace {

BlockFormat format_with(std::size_t block_bytes) {
  BlockFormat format;
  format.run_id = std::random_device()();
  format.block_bytes = round_up_to_sector(block_bytes);
  return format;
}

}  // namespace

ByteFile::ByteFile(Disk& disk, Budget& budget, std::string name, std::size_t block_bytes)
    : file_(disk, std::move(name), format_with(block_bytes)),
      open_(Buffer::need(budget, file_.format().block_bytes, "writing a file of bytes")) {}

std::uint64_t ByteFile::append(std::span<const std::uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t at = size_;
  while (!bytes.empty()) {
    const std::size_t some = std::min(bytes.size(), capacity() - used_);
    std::memcpy(open_.data() + kBlockHeaderBytes + used_, bytes.data(), some);
    bytes = bytes.subspan(some);
    used_ += some;
    size_ += some;
    written_ = false;
    if (used_ < capacity()) continue;
    write();
    used_ = 0;
  }
  return at;
}

void ByteFile::settle() {
  const std::lock_guard lock(mutex_);
  if (!written_) write();
}

void ByteFile::write() {
  file_.write((size_ - 1) / capacity(), open_.all(), used_, 1);
  written_ = true;
}

void ByteFile::Reader::read(std::uint64_t at, std::span<std::uint8_t> out) {
  const std::size_t capacity = file_->capacity();
  while (!out.empty()) {
    const std::uint64_t number = at / capacity;
    const std::size_t begin = at % capacity;
    if (number_ != number || begin >= payload_.size()) {  // or more was added since
      number_.reset();
      payload_ = file_->file_.read(number, buffer_.all()).payload;
      number_ = number;
    }
    const std::size_t some = std::min(out.size(), payload_.size() - begin);
    std::memcpy(out.data(), payload_.data() + begin, some);
    out = out.subspan(some);
    at += some;
  }
}

}  // namespace spillway
