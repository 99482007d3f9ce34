#include "storage/blocks/block.h"

#include <fmt/format.h>
#include <lz4.h>

#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/text/quantity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

constexpr std::uint32_t kMagic = 0x4b4c4253;  // "SBLK"
constexpr std::uint16_t kVersion = 1;
constexpr std::uint16_t kLz4 = 1;  // flag

struct Header {
  std::uint64_t checksum;  // of everything behind it in the block
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t flags;
  std::uint64_t run_id;
  std::uint64_t file_id;
  std::uint64_t number;
  std::uint32_t payload_bytes;
  std::uint32_t stored_bytes;
  std::uint64_t records;
  std::uint64_t zero;
};
static_assert(sizeof(Header) == kBlockHeaderBytes);

std::uint64_t checksum_of(std::span<const std::byte> block) {
  constexpr std::size_t kSkipped = sizeof(Header::checksum);
  return XXH3_64bits(block.data() + kSkipped, block.size() - kSkipped);
}

// The first thing that is wrong with a block, or nothing.
std::string fault_of(const Header& header, std::span<const std::byte> block,
                     const BlockFormat& format, std::uint64_t number) {
  if (header.magic != kMagic && header.magic != 0) return "is not a block";
  if (header.checksum != checksum_of(block))
    return header.magic == 0 ? "was never written" : "is damaged: its checksum does not match";
  if (header.magic != kMagic) return "was never written";
  if (header.version != kVersion)
    return fmt::format("has format version {}, but this program reads version {}", header.version,
                       kVersion);
  if (header.run_id != format.run_id) return "is left over from another run";
  if (header.file_id != format.file_id) return "belongs to another file";
  if (header.number != number)
    return fmt::format("is block {}: blocks were swapped", with_commas(header.number));
  const bool packed = (header.flags & kLz4) != 0;
  if ((header.flags & ~kLz4) != 0 || (packed && !format.lz4)) return "has invalid flags";
  const bool fits =
      header.stored_bytes <= format.capacity() && header.payload_bytes <= format.largest_payload();
  if (!fits || (!packed && header.stored_bytes != header.payload_bytes))
    return "has an impossible length";
  return {};
}

[[noreturn]] void refuse(const std::string& file, std::uint64_t number, std::size_t block_bytes,
                         std::string_view fault) {
  throw Error(Fault::integrity,
              fmt::format("{}: block {} at offset {} {}; the disk or its driver is failing", file,
                          with_commas(number), with_commas(number * block_bytes), fault));
}

}  // namespace

void seal_block(std::span<std::byte> block, const BlockFormat& format,
                const BlockContents& contents) {
  Header header{};
  header.magic = kMagic;
  header.version = kVersion;
  header.flags = contents.stored_bytes < contents.payload_bytes ? kLz4 : 0;
  header.run_id = format.run_id;
  header.file_id = format.file_id;
  header.number = contents.number;
  header.payload_bytes = static_cast<std::uint32_t>(contents.payload_bytes);
  header.stored_bytes = static_cast<std::uint32_t>(contents.stored_bytes);
  header.records = contents.records;
  const std::size_t used = sizeof header + contents.stored_bytes;
  std::memset(block.data() + used, 0, block.size() - used);
  std::memcpy(block.data(), &header, sizeof header);
  header.checksum = checksum_of(block);
  std::memcpy(block.data(), &header.checksum, sizeof header.checksum);
}

Block open_block(std::span<const std::byte> block, const BlockFormat& format, std::uint64_t number,
                 const std::string& file, std::span<std::byte> decoded) {
  Header header;
  std::memcpy(&header, block.data(), sizeof header);
  if (const std::string fault = fault_of(header, block, format, number); !fault.empty())
    refuse(file, number, block.size(), fault);
  const std::span<const std::byte> stored = block.subspan(sizeof header, header.stored_bytes);
  if ((header.flags & kLz4) == 0) return {number, header.records, stored};
  const int length = LZ4_decompress_safe(
      reinterpret_cast<const char*>(stored.data()), reinterpret_cast<char*>(decoded.data()),
      static_cast<int>(stored.size()), static_cast<int>(header.payload_bytes));
  if (length != static_cast<int>(header.payload_bytes))
    refuse(file, number, block.size(), "cannot be decompressed");
  return {number, header.records, decoded.first(header.payload_bytes)};
}

}  // namespace spillway
