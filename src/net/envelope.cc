#include "net/envelope.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kMagic = 0x6c707331;  // "1spl"

struct Header {
  std::uint32_t magic;
  std::uint32_t kind;
  std::uint64_t check;
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t round;
  std::uint64_t length;
  std::uint64_t hash;
};
static_assert(sizeof(Header) == Envelope::kBytes);

// Of the header, with 0 in the place of the hash, and of the contents.
std::uint64_t hash_of(Header header, std::span<const std::byte> contents) {
  header.hash = 0;
  if (header.kind == static_cast<std::uint32_t>(Envelope::Kind::batch))
    contents = contents.first(std::min(contents.size(), Envelope::kHashedOfBatch));
  const std::uint64_t seed = XXH3_64bits(&header, sizeof header);
  return XXH3_64bits_withSeed(contents.data(), contents.size(), seed);
}

}  // namespace

void seal(std::span<std::byte> message, const Envelope& envelope) {
  SPILLWAY_CHECK(message.size() >= Envelope::kBytes);
  const std::span<const std::byte> inside = contents(message);
  Header header{kMagic,         static_cast<std::uint32_t>(envelope.kind),
                envelope.check, envelope.from,
                envelope.to,    envelope.round,
                inside.size(),  0};
  header.hash = hash_of(header, inside);
  std::memcpy(message.data(), &header, sizeof header);
}

Envelope open(std::span<const std::byte> message, std::uint64_t check, unsigned from, unsigned to) {
  const auto refuse = [&](const char* why) {
    throw Error(Fault::integrity, fmt::format("a message from rank {} {}", from, why));
  };
  Header header{};
  if (message.size() < sizeof header) refuse("is too short");
  std::memcpy(&header, message.data(), sizeof header);
  const std::span<const std::byte> inside = contents(message);
  if (header.magic != kMagic || header.length != inside.size() ||
      header.hash != hash_of(header, inside))
    refuse("was damaged on its way");
  if (header.check != check) refuse("belongs to another check");
  if (header.from != from || header.to != to) refuse("was delivered to the wrong rank");
  return {static_cast<Envelope::Kind>(header.kind), header.check, header.from, header.to,
          header.round};
}

}  // namespace spillway
