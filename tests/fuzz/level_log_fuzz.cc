// Any bytes as records in a log of levels: refused with an Error(integrity), or rows of levels in
// order.
//
// Built and run by tests/fuzz/run.  The blocks around the records are whole, as in a file that
// someone has made on purpose.  The first byte of the input chooses the number of words in a row,
// the second how the bytes are cut into blocks.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "storage/levels/level_log.h"
#include "support/memory_disk.h"

namespace {

using namespace spillway;

constexpr std::size_t kMostBlocks = 4;

// A file of the log with these payloads.
LevelLog::LogFile write_log(Disk& disk, const LevelLog::Form& form,
                            std::span<const std::uint8_t> bytes, std::size_t cut) {
  BlockFormat format;
  format.run_id = form.run_id;
  format.file_id = 5;
  format.block_bytes = form.block_bytes;
  BlockFile file(disk, LevelLog::name_of(1), format);
  file.keep();
  Budget room(form.block_bytes);
  const Buffer block = Buffer::need(room, form.block_bytes, "a block");
  const std::size_t most =
      std::min(form.block_bytes - kBlockHeaderBytes, std::max<std::size_t>(1, cut * 16));
  while (!bytes.empty() && file.blocks() < kMostBlocks) {
    const std::size_t some = std::min(most, bytes.size());
    std::memcpy(block.data() + kBlockHeaderBytes, bytes.data(), some);
    file.write(file.blocks(), block.all(), some, 1);
    bytes = bytes.subspan(some);
  }
  return {1, format.file_id, file.blocks(), 1000};
}

template <std::size_t W>
void read_log(LevelLog& log) {
  const BlockShape& shape = log.form().shape;
  BlockUnpacker<W> unpacker(shape);
  std::vector<Word> rows(shape.rows * shape.words);
  std::uint64_t last = 0;
  log.read([&](std::uint64_t level, Bytes record) {
    if (level != last && level != last + 1) std::abort();
    last = level;
    unpacker.open(record);
    if (unpacker.rows() > shape.rows) std::abort();
    unpacker.unpack(rows.data());
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  MemoryDisk disk;
  const std::size_t words = 1 + data[0] % 4;
  const LevelLog::Form form = LevelLog::form_for(3, BlockShape::of(words), 1 << 20);
  Budget budget(LevelLog::budget_bytes(form));
  try {
    const LevelLog::LogFile part = write_log(disk, form, {data + 2, size - 2}, data[1]);
    LevelLog log(disk, budget, form, 2, {part});
    if (words == 1)
      read_log<1>(log);
    else if (words == 2)
      read_log<2>(log);
    else
      read_log<0>(log);
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity) std::abort();
  }
  return 0;
}
