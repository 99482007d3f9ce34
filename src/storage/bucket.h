// Seven states in a cache line, and how threads share it.
//
// A bucket is a word of tags and seven slots.  Byte i of the tag word belongs to slot i: 0 says the slot is
// empty, anything else is the owner's (so no value of a row is reserved).  Slots fill in order and are
// never emptied.  The last byte is a lock bit.
//
// Protocol.  A thread reads the tag word, compares the slots that the tags say are filled, and if its key
// is not there, sets the lock bit by compare-and-swap from the very tag word it has read: if that
// succeeds, nothing was added since the comparison, so the key is new.  It writes the slot and stores the
// tag word with the new tag and without the lock.  Readers never wait for a lock holder unless they want
// to add to the same bucket.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/state.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace spillway {

using Tag = std::uint8_t;

inline constexpr unsigned kSlots = 7;
inline constexpr std::uint64_t kLock = std::uint64_t{1} << 63;

inline unsigned filled_slots(std::uint64_t tags) {
  return (static_cast<unsigned>(std::bit_width(tags & ~kLock)) + 7) / 8;
}
inline bool is_full(std::uint64_t tags) { return (tags & ~kLock) >> 8 * (kSlots - 1) != 0; }
inline std::uint64_t with_tag(std::uint64_t tags, unsigned slot, Tag tag) {
  return tags | static_cast<std::uint64_t>(tag) << 8 * slot;
}
inline Tag tag_of(std::uint64_t tags, unsigned slot) { return static_cast<Tag>(tags >> 8 * slot); }

// Rows of W words: the first words of all seven lie in the first cache line with the tags; the rest is
// behind them and looked at only when the first word fits.
template <std::size_t W>
struct alignas(64) Bucket {
  std::atomic<std::uint64_t> tags;
  Word first[kSlots];
  Word rest[W - 1][8];
};
template <>
struct alignas(64) Bucket<1> {
  std::atomic<std::uint64_t> tags;
  Word first[kSlots];
};

static_assert(sizeof(Bucket<1>) == 64);
static_assert(sizeof(Bucket<2>) == 128);

// A bit for each slot whose first word is `word` where `mask` has ones, filled or not.
template <std::size_t W>
inline unsigned slots_with(const Bucket<W>& bucket, Word word, Word mask = ~Word{0}) {
#if defined(__AVX512F__) && !defined(__SANITIZE_THREAD__)
  const __m512i line = _mm512_load_si512(&bucket);
  const __m512i wrong = _mm512_xor_si512(line, _mm512_set1_epi64(static_cast<long long>(word)));
  return static_cast<unsigned>(_mm512_testn_epi64_mask(wrong, _mm512_set1_epi64(static_cast<long long>(mask)))) >> 1;
#elif defined(__AVX2__) && !defined(__SANITIZE_THREAD__)
  const auto* half = reinterpret_cast<const __m256i*>(&bucket);
  const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(word & mask));
  const __m256i ones = _mm256_set1_epi64x(static_cast<long long>(mask));
  const auto compare = [&](const __m256i* p) {
    const __m256i found = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_load_si256(p), ones), wanted);
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(found)));
  };
  return (compare(half) | compare(half + 1) << 4) >> 1;
#else
  unsigned slots = 0;
  for (unsigned i = 0; i < kSlots; ++i) {
    const Word there = std::atomic_ref(const_cast<Word&>(bucket.first[i])).load(std::memory_order_relaxed);
    slots |= static_cast<unsigned>(((there ^ word) & mask) == 0) << i;
  }
  return slots;
#endif
}

}  // namespace spillway
