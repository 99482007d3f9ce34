#include "storage/blocks/block_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

BlockFile::BlockFile(Disk& disk, std::string name, const BlockFormat& format,
                     std::unique_ptr<File> file)
    : disk_(&disk), short_name_(std::move(name)), format_(format), file_(std::move(file)) {
  SPILLWAY_CHECK(format.block_bytes % kSector == 0 && format.block_bytes > 0);
  SPILLWAY_CHECK(format.capacity() < (std::size_t{1} << 31));
}

BlockFile::BlockFile(Disk& disk, std::string name, const BlockFormat& format)
    : BlockFile(disk, name, format, disk.create(name)) {}

BlockFile BlockFile::open(Disk& disk, std::string name, const BlockFormat& format) {
  BlockFile file(disk, name, format, disk.open(name));
  file.kept_ = true;
  const std::uint64_t bytes = file.file_->size();
  if (bytes % format.block_bytes != 0)
    throw Error(
        Fault::integrity,
        fmt::format(
            "{}: truncated: the file has {} bytes, which is not a multiple of the block size {}",
            file.name(), with_commas(bytes), with_commas(format.block_bytes)));
  file.blocks_ = bytes / format.block_bytes;
  return file;
}

BlockFile::BlockFile(BlockFile&&) noexcept = default;

BlockFile::~BlockFile() {
  if (!file_ || kept_) return;
  file_.reset();
  try {
    disk_->remove(short_name_);
  } catch (const Error&) {
    // What cannot be removed now goes with the disk.
  }
}

void BlockFile::clear(std::uint64_t file_id) {
  file_->truncate(0);
  format_.file_id = file_id;
  blocks_ = 0;
}

void BlockFile::write(std::uint64_t number, std::span<std::byte> block, std::size_t payload_bytes,
                      std::uint64_t records) {
  SPILLWAY_CHECK(number <= blocks_);
  seal_block(block.first(format_.block_bytes), format_, {number, records, payload_bytes});
  file_->write(number * format_.block_bytes, block.first(format_.block_bytes)).wait();
  if (number == blocks_) ++blocks_;
}

Block BlockFile::read(std::uint64_t number, std::span<std::byte> block) const {
  SPILLWAY_CHECK(number < blocks_);
  block = block.first(format_.block_bytes);
  file_->read(number * format_.block_bytes, block).wait();
  return open_block(block, format_, number, name());
}

BlockLookup::BlockLookup(const BlockFile& file, Budget& budget)
    : file_(file), block_(Buffer::need(budget, file.format().block_bytes, "reading a block")) {}

Block BlockLookup::read(std::uint64_t number) { return file_.read(number, block_.all()); }

}  // namespace spillway
