#include "io/data/system_file.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/io_error.h"

namespace spillway {
namespace {

constexpr std::uint64_t kSmallestStep = std::uint64_t{256} << 10;
constexpr std::uint64_t kLargestStep = std::uint64_t{64} << 20;

std::uint64_t step_after(std::uint64_t size) {
  return std::clamp(size / 16, kSmallestStep, kLargestStep);
}

}  // namespace

int Inode::allocate(std::uint64_t to) {
  const std::uint64_t from = allocated_.load(std::memory_order_relaxed);
  if (!claim_->reach(to)) return kOverLimit;
  const int number = uninterrupted([&] {
    return fallocate(descriptor(), 0, static_cast<off_t>(from), static_cast<off_t>(to - from)) == 0
               ? 0
               : errno;
  });
  // A file system without fallocate() may have the space nevertheless.
  if (number != 0 && number != EOPNOTSUPP && number != ENOSYS) {
    // Some file systems keep what they had allocated when the space ran out.
    excess_ = ftruncate(descriptor(), static_cast<off_t>(from)) != 0;
    claim_->fall_back_to(from);
    return number;
  }
  allocated_.store(to, std::memory_order_relaxed);
  return 0;
}

int Inode::reserve(std::uint64_t end) {
  if (end > size()) {
    const std::lock_guard lock(growing_);
    if (end > allocated_.load(std::memory_order_relaxed)) {
      int number = allocate(end + step_after(end) / kSector * kSector);
      if (number == ENOSPC || number == EFBIG || number == EDQUOT || number == kOverLimit)
        number = allocate(end);
      if (number != 0) return number;
    }
    size_.store(std::max(end, size()), std::memory_order_relaxed);
  }
  return 0;
}

int Inode::trim() {
  const std::lock_guard lock(growing_);
  if (allocated_.load(std::memory_order_relaxed) <= size() && !excess_) return 0;
  if (ftruncate(descriptor(), static_cast<off_t>(size())) != 0) return errno;
  excess_ = false;
  allocated_.store(size(), std::memory_order_relaxed);
  claim_->fall_back_to(size());
  return 0;
}

int Inode::truncate(std::uint64_t bytes) {
  const std::lock_guard lock(growing_);
  if (!claim_->reach(bytes)) return kOverLimit;
  if (ftruncate(descriptor(), static_cast<off_t>(bytes)) != 0) return errno;
  excess_ = false;
  size_.store(bytes, std::memory_order_relaxed);
  allocated_.store(bytes, std::memory_order_relaxed);
  claim_->fall_back_to(bytes);
  return 0;
}

std::optional<std::uint64_t> Inode::room_left(int number) const {
  if (number == kOverLimit) return claim_->left();
  struct statvfs status {};
  if ((number != ENOSPC && number != EDQUOT) || fstatvfs(descriptor(), &status) != 0)
    return std::nullopt;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

std::optional<std::int64_t> SystemFile::attempt(Transfer& transfer) {
  const std::uint64_t end = transfer.position() + transfer.size();
  if (transfer.direction() == Direction::write) {
    if (const int number = inode_->reserve(end)) return -number;
  } else if (end > inode_->size()) {
    return 0;  // space that was allocated and not written must not be read as zeros
  }
  transfer.descriptor = inode_->descriptor();
  engine_.start(transfer);
  return std::nullopt;
}

int SystemFile::try_sync() {
  if (const int number = inode_->trim()) return number;
  return fdatasync(inode_->descriptor()) == 0 ? 0 : errno;
}

int SystemFile::try_size(std::uint64_t& bytes) {
  bytes = inode_->size();
  return 0;
}

}  // namespace spillway
