#include "storage/runs/packing/bit_lengths.h"

#include <algorithm>

namespace spillway {
namespace {

// A difference that begins in the middle of a byte is read with the seven bits before it.
constexpr unsigned kMostInBits = 57;

// The numbers of bits that occur, the fewest first, and how many differences have no more.
struct Occurring {
  std::array<unsigned, 65> bits{};
  std::array<std::uint64_t, 65> up_to{};
  std::size_t count = 0;

  explicit Occurring(const BitLengths::Counts& counts) {
    std::uint64_t sum = 0;
    for (unsigned n = 0; n < counts.size(); ++n) {
      if (counts[n] == 0) continue;
      sum += counts[n];
      bits[count] = n;
      up_to[count++] = sum;
    }
  }
};

}  // namespace

void BitLengths::set(std::size_t code, unsigned bits) {
  bits_[code] = static_cast<std::uint8_t>(bits);
  mask_[code] = bits == 0 ? 0 : ~Word{0} >> (64 - bits);
}

void BitLengths::fill_codes() {
  unsigned code = 0;
  for (unsigned bits = 0; bits <= bits_.back(); ++bits) {
    while (bits_[code] < bits) ++code;
    code_[bits] = static_cast<std::uint8_t>(code);
  }
}

BitLengths BitLengths::whole_bytes() {
  BitLengths lengths;
  for (unsigned code = 0; code < kCount; ++code) lengths.set(code, 8 * code + 8);
  lengths.fill_codes();
  return lengths;
}

// Dynamic programming: the least space of all differences up to some number of bits, with one
// length more each time.  The greatest length is the greatest number of bits.
BitLengths BitLengths::best(const Counts& counts) {
  const Occurring occurring(counts);
  const std::size_t count = occurring.count;
  if (count == 0 || occurring.bits[count - 1] > kMostInBits) return whole_bytes();
  std::array<std::uint64_t, 65> least;  // for as many lengths as yet
  std::array<std::array<std::uint8_t, 65>, kCount> before{};
  for (std::size_t i = 0; i < count; ++i) least[i] = occurring.up_to[i] * occurring.bits[i];
  for (std::size_t more = 1; more < kCount; ++more) {
    for (std::size_t i = count; i-- > 0;) {
      before[more][i] = static_cast<std::uint8_t>(i);  // one length less will do
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint64_t space =
            least[j] + (occurring.up_to[i] - occurring.up_to[j]) * occurring.bits[i];
        if (space >= least[i]) continue;
        least[i] = space;
        before[more][i] = static_cast<std::uint8_t>(j);
      }
    }
  }
  BitLengths lengths;
  std::size_t last = count - 1;
  for (std::size_t code = kCount; code-- > 0;) {
    lengths.set(code, occurring.bits[last]);
    last = before[code][last];
  }
  lengths.fill_codes();
  return lengths;
}

BitLengths BitLengths::read(const std::uint8_t* bytes) {
  BitLengths lengths;
  for (std::size_t code = 0; code < kCount; ++code)
    lengths.set(code, std::min<unsigned>(bytes[code], 64));
  return lengths;
}

void BitLengths::write(std::uint8_t* bytes) const { std::copy(bits_.begin(), bits_.end(), bytes); }

}  // namespace spillway
