// Differences between rows of one word, each as long in bits as it has to be.
//
// A difference has one of eight lengths, which are chosen for each block: those with which the
// differences of the block take the least space.  Three bits say which length a difference has.
// They stand apart from the differences, so that a group is read without a branch.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/state.h"

namespace spillway {

class BitLengths {
 public:
  static constexpr std::size_t kCount = 8;
  static constexpr unsigned kCodeBits = 3;
  static constexpr std::size_t kBytes = kCount;  // that write() writes
  // How many differences have 0, 1, ... 64 bits.
  using Counts = std::array<std::uint32_t, 65>;

  // One to eight bytes, for blocks in which LZ4 may find repetitions.
  static BitLengths whole_bytes();
  // The best for these differences.
  static BitLengths best(const Counts& counts);
  // As write() wrote them.  With any others differences are wrong, but no longer than 64 bits.
  static BitLengths read(const std::uint8_t* bytes);
  void write(std::uint8_t* bytes) const;

  // The code of the shortest length for a difference of so many bits.
  unsigned code_for(unsigned bits) const { return code_[bits]; }
  unsigned bits(unsigned code) const { return bits_[code]; }
  unsigned greatest() const { return bits_.back(); }
  // The difference that begins at a bit of `in`.  Reads eight bytes, from that of the bit on.
  Word difference(const std::uint8_t* in, std::size_t bit, unsigned code) const {
    Word word = 0;
    std::memcpy(&word, in + bit / 8, sizeof word);
    return word >> bit % 8 & mask_[code];
  }

 private:
  void set(std::size_t code, unsigned bits);
  void fill_codes();

  std::array<std::uint8_t, kCount> bits_{};
  std::array<Word, kCount> mask_{};
  std::array<std::uint8_t, 65> code_;  // only for writing
};

// Writes numbers of some bits each, the least significant first.  Writes up to eight bytes past
// their end.
class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* out) : out_(out) {}
  // REQUIRES: number < 2^bits; bits <= 57, or all that was put before were whole bytes.
  void put(Word number, unsigned bits) {
    pending_ |= number << filled_;
    std::memcpy(out_, &pending_, sizeof pending_);
    filled_ += bits;
    out_ += filled_ / 8;
    const unsigned half = filled_ / 8 * 4;  // twice, because a shift by 64 is undefined
    pending_ = pending_ >> half >> half;
    filled_ %= 8;
  }
  // The first byte that has no bit of a number.
  std::uint8_t* end() const { return out_ + (filled_ == 0 ? 0 : 1); }

 private:
  std::uint8_t* out_;
  Word pending_ = 0;     // bits that do not fill a byte
  unsigned filled_ = 0;  // their number
};

}  // namespace spillway
