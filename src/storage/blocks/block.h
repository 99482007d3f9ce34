// A block: a header and a payload, of a fixed size on disk, that knows where it belongs.
//
// The format is in docs/design/formats.md.  A reader detects a block that is damaged, truncated,
// swapped with another, left over from another file or run, or never written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/data/buffer.h"

namespace spillway {

inline constexpr std::size_t kBlockHeaderBytes = 64;

// What all blocks of a file have in common.
struct BlockFormat {
  std::uint64_t run_id = 0;
  std::uint64_t file_id = 0;                         // unique for each file and for each contents
  std::size_t block_bytes = std::size_t{256} << 10;  // a multiple of kSector
  std::size_t fill_bytes = 0;                        // limit for the payload; 0: the entire block

  // The most payload bytes of a block.
  std::size_t capacity() const {
    return fill_bytes != 0 ? fill_bytes : block_bytes - kBlockHeaderBytes;
  }
};

// The contents of a block, as a reader sees them.
struct Block {
  std::uint64_t number = 0;
  std::uint64_t records = 0;           // as the writer counted them
  std::span<const std::byte> payload;  // at a multiple of 64 bytes
};

struct BlockContents {
  std::uint64_t number;
  std::uint64_t records;
  std::size_t payload_bytes;
};

// Writes the header before the payload and zeros after it.
void seal_block(std::span<std::byte> block, const BlockFormat& format,
                const BlockContents& contents);

// Checks the block and returns its contents as block `number` of the file, with a view into
// `block`.  Throws Error(integrity), naming the file and the offset.
Block open_block(std::span<const std::byte> block, const BlockFormat& format, std::uint64_t number,
                 const std::string& file);

}  // namespace spillway
