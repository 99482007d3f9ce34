// The header of a message, by which the receiver notices messages that are damaged, of another
// check, or not for it.
//
// The header has 48 bytes, little-endian: a magic number (4 bytes), the kind (4), the check (8),
// the ranks of sender and receiver (4 each), the round (8), the length of the contents (8), and the
// XXH3 hash of all that, with the contents (8).  Of a batch, which is long, only the beginning of
// the contents is part of that hash: there, the Exchange has a hash of the rest, so that no byte is
// hashed twice, and none while others wait for the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spillway {

struct Envelope {
  enum class Kind : std::uint32_t {
    gather = 1,  // what a rank contributes, for rank 0
    gathered,    // what all have contributed
    batch,       // of an exchange
    taken,       // a batch was taken, so there is room for another
    end,         // of an exchange: how many batches there were
    beat,        // a sign of life
    left,        // a rank does not take part in this round, so nobody can
    lost,        // another rank is lost; the contents say which, and why
    parted,      // a rank that knows this has done all that is left to do
  };
  static constexpr std::size_t kBytes = 48;
  static constexpr std::size_t kHashedOfBatch = 16;  // bytes of its contents

  Kind kind = Kind::beat;
  std::uint64_t check = 0;  // the same for all ranks of a check
  unsigned from = 0;
  unsigned to = 0;
  std::uint64_t round = 0;
};

// Writes the header into the first kBytes bytes of a message, whose contents are there already.
void seal(std::span<std::byte> message, const Envelope& envelope);
// The opposite.  Throws Error(integrity), which names the sender, unless it is an intact message of
// this check from `from` to `to`.
Envelope open(std::span<const std::byte> message, std::uint64_t check, unsigned from, unsigned to);

inline std::span<const std::byte> contents(std::span<const std::byte> message) {
  return message.subspan(Envelope::kBytes);
}

}  // namespace spillway
