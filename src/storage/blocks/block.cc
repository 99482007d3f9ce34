#include "storage/blocks/block.h"

#include <fmt/format.h>

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

struct Header {
  std::uint64_t checksum;  // of everything behind it in the block
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t flags;  // none
  std::uint64_t run_id;
  std::uint64_t file_id;
  std::uint64_t number;
  std::uint32_t payload_bytes;
  std::uint32_t stored_bytes;  // the same
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
  if (header.flags != 0) return "has invalid flags";
  if (header.payload_bytes > format.capacity() || header.stored_bytes != header.payload_bytes)
    return "has an impossible length";
  return {};
}

}  // namespace

void seal_block(std::span<std::byte> block, const BlockFormat& format,
                const BlockContents& contents) {
  Header header{};
  header.magic = kMagic;
  header.version = kVersion;
  header.run_id = format.run_id;
  header.file_id = format.file_id;
  header.number = contents.number;
  header.payload_bytes = static_cast<std::uint32_t>(contents.payload_bytes);
  header.stored_bytes = header.payload_bytes;
  header.records = contents.records;
  const std::size_t used = sizeof header + contents.payload_bytes;
  std::memset(block.data() + used, 0, block.size() - used);
  std::memcpy(block.data(), &header, sizeof header);
  header.checksum = checksum_of(block);
  std::memcpy(block.data(), &header.checksum, sizeof header.checksum);
}

Block open_block(std::span<const std::byte> block, const BlockFormat& format, std::uint64_t number,
                 const std::string& file) {
  Header header;
  std::memcpy(&header, block.data(), sizeof header);
  if (const std::string fault = fault_of(header, block, format, number); !fault.empty())
    throw Error(Fault::integrity,
                fmt::format("{}: block {} at offset {} {}; the disk or its driver is failing", file,
                            with_commas(number), with_commas(number * block.size()), fault));
  return {number, header.records, block.subspan(sizeof header, header.payload_bytes)};
}

}  // namespace spillway
