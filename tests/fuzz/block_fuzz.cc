// Any bytes as a block: they are refused with an Error(integrity), or give a payload of a length
// that can be.
//
// Built and run by tests/fuzz/run.  The checksum is made right where the first byte of the input
// says so, as a hostile file would have it, so that what lies behind it is reached.
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "storage/blocks/block.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  if (size == 0) return 0;
  const BlockFormat format{0, 0, kSector};
  std::vector<std::byte> block(format.block_bytes);
  std::memcpy(block.data(), data + 1, std::min(size - 1, block.size()));
  if ((data[0] & 2) != 0) {
    std::memcpy(block.data() + 8, "SBLK\1", 6);
    const std::uint64_t checksum = XXH3_64bits(block.data() + 8, block.size() - 8);
    std::memcpy(block.data(), &checksum, sizeof checksum);
  }
  try {
    const Block opened = open_block(block, format, 0, "fuzz");
    if (opened.payload.size() > format.capacity()) std::abort();
    volatile std::uint8_t sum = 0;
    for (const std::byte b : opened.payload)
      sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(b));
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity) std::abort();
  }
  return 0;
}
