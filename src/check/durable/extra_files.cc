#include "check/durable/extra_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/process/identity.h"
#include "check/durable/file_names.h"
#include "storage/blocks/block_reader.h"
#include "storage/blocks/block_writer.h"

namespace spillway {
namespace {

BlockFormat extra_format(const LevelLog::Form& form, std::uint64_t id) {
  BlockFormat format;
  format.run_id = form.run_id;
  format.file_id = id;
  format.block_bytes = form.block_bytes;
  return format;
}

}  // namespace

Manifest::Extra write_extra(Disk& disk, Budget& budget, const LevelLog::Form& form,
                            const std::string& what, std::uint64_t file,
                            const std::function<void(const PutBytes&)>& fill) {
  const std::uint64_t id = drawn_number();
  BlockFile blocks(disk, name_of({RunFile::Kind::extra, file}), extra_format(form, id));
  {
    BlockWriter writer(blocks, budget, {3, 1});
    fill([&](std::span<const std::uint8_t> bytes) {
      while (!bytes.empty()) {
        std::byte* const at = writer.place(1);
        const std::size_t count = std::min(bytes.size(), writer.left());
        std::memcpy(at, bytes.data(), count);
        writer.added(count, 1);
        bytes = bytes.subspan(count);
      }
    });
    writer.finish();
  }
  blocks.sync();
  disk.sync_directory();
  blocks.keep();
  return {what, file, id, blocks.blocks()};
}

void read_extra(Disk& disk, Budget& budget, const LevelLog::Form& form,
                const Manifest::Extra& extra, const std::function<void(const GetBytes&)>& use) {
  const BlockFile file = BlockFile::open(disk, name_of({RunFile::Kind::extra, extra.file}),
                                         extra_format(form, extra.id));
  if (file.blocks() != extra.blocks)
    throw Error(Fault::integrity, fmt::format("{}: has {} blocks, but {} were written", file.name(),
                                              file.blocks(), extra.blocks));
  BlockReader reader(file, budget, {3, 1});
  std::span<const std::byte> rest;
  use([&](std::span<std::uint8_t> out) {
    while (!out.empty()) {
      if (rest.empty()) {
        const std::optional<Block> block = reader.next();
        if (!block) throw Error(Fault::integrity, file.name() + ": is shorter than it says");
        rest = block->payload;
        continue;
      }
      const std::size_t count = std::min(out.size(), rest.size());
      std::memcpy(out.data(), rest.data(), count);
      out = out.subspan(count);
      rest = rest.subspan(count);
    }
  });
}

}  // namespace spillway
