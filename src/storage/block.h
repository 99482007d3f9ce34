// A block: a header and a payload, of a fixed size on disk, that knows where it belongs.
//
// The format is docs/design/formats.md.  A block that was damaged, cut off, swapped with another one, left over
// from another file or run, or never written is told apart from the right one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/buffer.h"

namespace spillway {

inline constexpr std::size_t kBlockHeaderBytes = 64;

// What a file's blocks have in common.
struct BlockFormat {
  std::uint64_t run_id = 0;
  std::uint64_t file_id = 0;  // never used for another file of the run, nor for other contents of the same
  std::size_t block_bytes = std::size_t{256} << 10;  // a multiple of kSector
  bool lz4 = false;
  std::size_t record_bytes = 1;  // with lz4: blocks hold multiples of this
  std::size_t fill_bytes = 0;    // a block holds no more than this; 0: all it can

  // What a block holds before it is compressed.
  std::size_t capacity() const { return fill_bytes != 0 ? fill_bytes : block_bytes - kBlockHeaderBytes; }
  // What it holds at most after it was decompressed.
  std::size_t largest_payload() const { return lz4 ? capacity() * 8 : capacity(); }
};

// What is in a block, as a reader sees it.
struct Block {
  std::uint64_t number = 0;
  std::uint64_t records = 0;           // as the writer counted them
  std::span<const std::byte> payload;  // at an address that is a multiple of 64
};

struct BlockContents {
  std::uint64_t number;
  std::uint64_t records;
  std::size_t payload_bytes;  // before compression
  std::size_t stored_bytes;   // less than payload_bytes: compressed
};

// Writes the header in front of what is stored in the block, and zeros behind it.
void seal_block(std::span<std::byte> block, const BlockFormat& format, const BlockContents& contents);

// Checks everything and returns what is in block `number` of the file.  A compressed payload is decompressed into
// `decoded`. Throws Error(integrity), which names the file and the offset. REQUIRES: decoded has
// format.largest_payload() bytes if format.lz4.
Block open_block(std::span<const std::byte> block, const BlockFormat& format, std::uint64_t number,
                 const std::string& file, std::span<std::byte> decoded);

}  // namespace spillway
