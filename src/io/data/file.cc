#include "io/data/file.h"

#include <cerrno>

#include "base/error.h"
#include "io/io_error.h"

namespace spillway {

Request File::begin(Direction direction, std::uint64_t offset, std::byte* data, std::size_t size) {
  SPILLWAY_CHECK(offset % kSector == 0 && size % kSector == 0);
  SPILLWAY_CHECK(reinterpret_cast<std::uintptr_t>(data) % kSector == 0);
  if (size == 0) return {};
  auto transfer = std::make_unique<Transfer>(*this, direction, offset, data, size);
  transfer->go();
  return Request(std::move(transfer));
}

Request File::read(std::uint64_t offset, std::span<std::byte> bytes) {
  IoCounters::add(counters_.reads, 1);
  return begin(Direction::read, offset, bytes.data(), bytes.size());
}

Request File::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  IoCounters::add(counters_.writes, 1);
  return begin(Direction::write, offset, const_cast<std::byte*>(bytes.data()), bytes.size());
}

void File::sync() {
  IoCounters::add(counters_.syncs, 1);
  if (sync_failed_)
    throw operation_error(name_, "sync: an earlier attempt failed, so repeating it proves nothing",
                          EIO);
  if (const int number = uninterrupted([&] { return try_sync(); })) {
    sync_failed_ = true;
    throw operation_error(name_, "sync", number);
  }
}

std::uint64_t File::size() {
  std::uint64_t bytes = 0;
  if (const int number = uninterrupted([&] { return try_size(bytes); }))
    throw operation_error(name_, "get the size", number);
  return bytes;
}

void File::truncate(std::uint64_t bytes) {
  SPILLWAY_CHECK(bytes % kSector == 0);
  if (const int number = uninterrupted([&] { return try_truncate(bytes); }))
    throw operation_error(name_, "truncate", number);
}

}  // namespace spillway
