#include "net/message_buffers.h"

#include <utility>

namespace spillway {
namespace {

constexpr std::size_t kMostFree = 16;    // buffers
constexpr std::size_t kSmall = 4096;     // bytes, which malloc has at hand
constexpr std::size_t kLarge = 4 << 20;  // bytes: nobody sends so much again and again

}  // namespace

std::vector<std::byte> MessageBuffers::take(std::size_t bytes) {
  std::vector<std::byte> buffer;
  if (bytes >= kSmall) {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      buffer = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (buffer.capacity() < bytes) return std::vector<std::byte>(bytes);
  buffer.resize(bytes);
  return buffer;
}

void MessageBuffers::give(std::vector<std::byte> buffer) {
  if (buffer.capacity() < kSmall || buffer.capacity() > kLarge) return;
  const std::lock_guard lock(mutex_);
  if (free_.size() < kMostFree) free_.push_back(std::move(buffer));
}

std::size_t MessageBuffers::kept() const {
  const std::lock_guard lock(mutex_);
  return free_.size();
}

MessageBuffers& message_buffers() {
  static MessageBuffers buffers;
  return buffers;
}

}  // namespace spillway
