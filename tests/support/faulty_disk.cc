#include "support/faulty_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace spillway {

class FaultyFile final : public File {
 public:
  FaultyFile(FaultyDisk& disk, std::unique_ptr<File> file)
      : File(file->name(), disk.counters()), disk_(disk), file_(std::move(file)) {}

 protected:
  std::optional<std::int64_t> attempt(Transfer& transfer) override;
  void await(Transfer&) override {}
  int try_sync() override;
  int try_size(std::uint64_t& bytes) override { return file_->try_size(bytes); }
  int try_truncate(std::uint64_t bytes) override;

 private:
  std::int64_t move(const Transfer& transfer, std::uint64_t position, std::byte* data,
                    std::size_t size);
  std::int64_t whole(const Transfer& transfer);
  std::int64_t part(const Transfer& transfer, std::size_t size);
  std::int64_t spoil(const Transfer& transfer);
  std::int64_t flip(const Transfer& transfer);

  FaultyDisk& disk_;
  std::unique_ptr<File> file_;
};

// A whole transfer of the disk below.
std::int64_t FaultyFile::move(const Transfer& transfer, std::uint64_t position, std::byte* data,
                              std::size_t size) {
  if (size == 0) return 0;
  Transfer inner(*file_, transfer.direction(), position, data, size);
  inner.go();
  if (!inner.finished()) file_->await(inner);
  if (inner.error() > 0) return -inner.error();
  return inner.error() == 0 ? static_cast<std::int64_t>(size) : 0;
}

std::int64_t FaultyFile::whole(const Transfer& transfer) {
  return move(transfer, transfer.position(), transfer.data(), transfer.size());
}

// The system moves whole sectors, but may report any number of bytes.
std::int64_t FaultyFile::part(const Transfer& transfer, std::size_t size) {
  const std::int64_t moved =
      move(transfer, transfer.position(), transfer.data(), round_up_to_sector(size));
  return moved > 0 ? static_cast<std::int64_t>(size) : moved;
}

std::int64_t FaultyFile::flip(const Transfer& transfer) {
  const std::size_t bit = disk_.faults_.plan().choice % (transfer.size() * 8);
  const auto mask = static_cast<std::byte>(1U << bit % 8);
  const std::int64_t moved = whole(transfer);
  if (moved <= 0) return moved;
  transfer.data()[bit / 8] ^= mask;
  if (transfer.direction() == Direction::write) {  // the buffer of the caller stays as it is
    whole(transfer);
    transfer.data()[bit / 8] ^= mask;
  }
  return moved;
}

std::int64_t FaultyFile::spoil(const Transfer& transfer) {
  const std::size_t size = transfer.size();
  const bool writes = transfer.direction() == Direction::write;
  switch (disk_.faults_.plan().trouble) {
    case Trouble::io_error: return -EIO;
    case Trouble::interrupted: return -EINTR;
    case Trouble::no_space:
      if (!writes) return whole(transfer);
      disk_.faults_.fill_up();
      return size == kSector ? -ENOSPC : part(transfer, size / 2);
    case Trouble::short_transfer:
      return part(transfer, 1 + disk_.faults_.plan().choice % (size - 1));
    case Trouble::flipped_bit: return flip(transfer);
    default: break;
  }
  if (!writes) return whole(transfer);
  switch (disk_.faults_.plan().trouble) {
    case Trouble::torn_write: part(transfer, size / 2); break;
    case Trouble::misplaced_write:
      move(transfer,
           transfer.position() < size ? transfer.position() + size : transfer.position() - size,
           transfer.data(), size);
      break;
    default: break;  // dropped
  }
  return static_cast<std::int64_t>(size);
}

std::optional<std::int64_t> FaultyFile::attempt(Transfer& transfer) {
  if (disk_.faults_.strikes()) return spoil(transfer);
  if (disk_.faults_.full() && transfer.direction() == Direction::write) return -ENOSPC;
  return whole(transfer);
}

int FaultyFile::try_sync() {
  const int number = disk_.faults_.refusal(false);
  return number != 0 ? number : file_->try_sync();
}

int FaultyFile::try_truncate(std::uint64_t bytes) {
  const int number = disk_.faults_.refusal(false);
  return number != 0 ? number : file_->try_truncate(bytes);
}

int FaultyDisk::try_create(const std::string& name, std::unique_ptr<File>& file) {
  if (const int number = faults_.refusal(true)) return number;
  std::unique_ptr<File> inner;
  if (const int number = disk_.try_create(name, inner)) return number;
  file = std::make_unique<FaultyFile>(*this, std::move(inner));
  return 0;
}

int FaultyDisk::try_open(const std::string& name, std::unique_ptr<File>& file) {
  if (const int number = faults_.refusal(false)) return number;
  std::unique_ptr<File> inner;
  if (const int number = disk_.try_open(name, inner)) return number;
  file = std::make_unique<FaultyFile>(*this, std::move(inner));
  return 0;
}

int FaultyDisk::try_remove(const std::string& name) {
  const int number = faults_.refusal(false);
  return number != 0 ? number : disk_.try_remove(name);
}

int FaultyDisk::try_rename(const std::string& from, const std::string& to) {
  const int number = faults_.refusal(false);
  return number != 0 ? number : disk_.try_rename(from, to);
}

int FaultyDisk::try_sync_directory() {
  const int number = faults_.refusal(false);
  return number != 0 ? number : disk_.try_sync_directory();
}

}  // namespace spillway
