#include "storage/runs/chunks/chunk_buffers.h"

namespace spillway {

std::optional<Buffer> ChunkBuffers::take_spare() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::nullopt;
  Buffer buffer = std::move(spare_.back());
  spare_.pop_back();
  spare_bytes_ -= bytes_;
  return buffer;
}

void ChunkBuffers::give_back(Buffer buffer) {
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(buffer));
  spare_bytes_ += bytes_;
}

void ChunkBuffers::free_spare() {
  const std::lock_guard lock(mutex_);
  spare_.clear();
  spare_bytes_ = 0;
}

ChunkBuffers::Lent ChunkBuffers::get() {
  std::optional<Buffer> buffer = take_spare();
  if (!buffer) buffer = Buffer::get(budget_, bytes_);
  return buffer ? Lent(*this, std::move(*buffer)) : Lent();
}

ChunkBuffers::Lent ChunkBuffers::need(std::string_view purpose) {
  std::optional<Buffer> buffer = take_spare();
  return {*this, buffer ? std::move(*buffer) : Buffer::need(budget_, bytes_, purpose)};
}

}  // namespace spillway
