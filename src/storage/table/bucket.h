// Seven states in a cache line, and the protocol by which threads share it.
//
// A bucket is a word of tags and seven slots.  Byte i of the tag word belongs to slot i: 0 means
// empty, any other value is chosen by the owner.  So no row value is reserved.  Slots fill in order
// and are never emptied.  The last byte holds a lock bit.
//
// To insert (insert_into() below), a thread reads the tag word and compares the filled slots with
// its key.  If the key is not there, it sets the lock bit by compare-and-swap against the tag word
// it has read.  Success means that nothing was added since the comparison, so the key is new.  The
// thread writes the slot and then stores the tag word with the new tag and without the lock. Nobody
// waits for a lock holder except to add to the same bucket.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/state.h"

#ifdef __SSE4_1__
#include <smmintrin.h>
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

// Rows of W words.  The first words of all seven rows share the first cache line with the tags; the
// rest follows and is read only if the first word matches.
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

// A bit for each slot, filled or not, whose first word agrees with `word` in the bits of `mask`.
template <std::size_t W>
inline unsigned slots_with(const Bucket<W>& bucket, Word word, Word mask = ~Word{0}) {
#if defined(__SSE4_1__) && !defined(__SANITIZE_THREAD__)
  // Newer processors could do it in fewer instructions, which gains nothing (docs/design/build.md).
  const auto* quarter = reinterpret_cast<const __m128i*>(&bucket);
  const __m128i wanted = _mm_set1_epi64x(static_cast<long long>(word & mask));
  const __m128i ones = _mm_set1_epi64x(static_cast<long long>(mask));
  const auto compare = [&](const __m128i* p) {
    return _mm_cmpeq_epi64(_mm_and_si128(_mm_load_si128(p), ones), wanted);
  };
  const __m128i low = _mm_packs_epi32(compare(quarter), compare(quarter + 1));
  const __m128i high = _mm_packs_epi32(compare(quarter + 2), compare(quarter + 3));
  // Sixteen bytes, two for each word of the bucket; then eight.
  const __m128i both = _mm_packs_epi16(_mm_packs_epi16(low, high), _mm_setzero_si128());
  return static_cast<unsigned>(_mm_movemask_epi8(both)) >> 1;
#else
  unsigned slots = 0;
  for (unsigned i = 0; i < kSlots; ++i) {
    const Word there =
        std::atomic_ref(const_cast<Word&>(bucket.first[i])).load(std::memory_order_relaxed);
    slots |= static_cast<unsigned>(((there ^ word) & mask) == 0) << i;
  }
  return slots;
#endif
}

enum class Insert { fresh, known, full };

// Inserts a key into the first of the buckets [bucket, end) that has an empty slot, unless it is in
// one up to there.  Insert::full: all are full.  Any number of threads.
//   holds(bucket, slots)  returns whether one of these slots, a bit for each, has the key.
//   write(bucket, slot)   writes the key; called once, if the key is new, under the lock.
template <std::size_t W, class Holds, class Write>
[[gnu::always_inline]] inline Insert insert_into(Bucket<W>* bucket, const Bucket<W>* end, Tag tag,
                                                 Holds holds, Write write) {
  for (; bucket != end; ++bucket) {
    std::uint64_t tags = bucket->tags.load(std::memory_order_acquire);
    for (;;) {
      const unsigned filled = filled_slots(tags);
      if (holds(*bucket, (1U << filled) - 1)) return Insert::known;
      if (filled == kSlots) break;  // on to the next bucket
      if ((tags & kLock) != 0) {
        tags = bucket->tags.load(std::memory_order_acquire);
        continue;
      }
      if (!bucket->tags.compare_exchange_weak(tags, tags | kLock, std::memory_order_acquire))
        continue;
      write(*bucket, filled);
      bucket->tags.store(with_tag(tags, filled, tag), std::memory_order_release);
      return Insert::fresh;
    }
  }
  return Insert::full;
}

}  // namespace spillway
