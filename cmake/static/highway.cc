// What Spillway uses of Highway's library, for a program that needs no shared library besides libc.
// Debian has that library only as a shared one, but the sort itself is in its headers.  Made for
// Highway 1.0, whose templates are used here without their public interface.
// Otherwise Highway 1.0.3 does not compile with -march=native where that means AVX-512 with VBMI2.
#ifdef __AVX512VBMI2__
#define HWY_WANT_AVX3_DL 1
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "highway.cc"
#include <hwy/foreach_target.h>
// foreach_target.h comes first.
#include <hwy/contrib/sort/vqsort-inl.h>

#include "hwy/contrib/sort/traits-inl.h"
#include "hwy/contrib/sort/traits128-inl.h"

#ifndef SPILLWAY_ORDERS
#define SPILLWAY_ORDERS
// Orders of the words of a vector: those whose bit in a mask is set first, or those whose bit is
// not, both in their order.  A word is as many parts, which are numbered.
//
// Highway has these tables, but as variables of functions, and GCC 12 copies a whole table to the
// stack for each vector.  That took five times as long as the rest of the sort.
namespace spillway {

template <std::size_t kWords, std::size_t kParts, class Part>
struct Orders {
  alignas(64) Part set_first[1 << kWords][kWords * kParts];
  alignas(64) Part unset_first[1 << kWords][kWords * kParts];

  constexpr Orders() : set_first(), unset_first() {
    for (std::size_t mask = 0; mask < 1 << kWords; ++mask) {
      fill(set_first[mask], mask);
      fill(unset_first[mask], ~mask);
    }
  }

 private:
  static constexpr void fill(Part* order, std::size_t first) {
    for (const std::size_t wanted : {1, 0})
      for (std::size_t word = 0; word < kWords; ++word)
        for (std::size_t part = 0; part < kParts && (first >> word & 1) == wanted; ++part)
          *order++ = static_cast<Part>(word * kParts + part);
  }
};
template <std::size_t kWords, std::size_t kParts, class Part>
inline constexpr Orders<kWords, kParts, Part> kOrders;

}  // namespace spillway
#endif

HWY_BEFORE_NAMESPACE();

// Instead of Highway's templates of these names: its functions find them by the types of what they
// are called with.
#if HWY_TARGET == HWY_AVX2
namespace hwy::HWY_NAMESPACE {

HWY_INLINE Vec256<std::uint32_t> IndicesFromBits(Full256<std::uint64_t>, std::uint64_t mask) {
  return Load(Full256<std::uint32_t>(), spillway::kOrders<4, 2, std::uint32_t>.set_first[mask]);
}
HWY_INLINE Vec256<std::uint32_t> IndicesFromNotBits(Full256<std::uint64_t>, std::uint64_t mask) {
  return Load(Full256<std::uint32_t>(), spillway::kOrders<4, 2, std::uint32_t>.unset_first[mask]);
}

}  // namespace hwy::HWY_NAMESPACE
#endif

namespace spillway::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace detail = hn::detail;

template <class Traits>
struct Divided : Traits {
#if HWY_TARGET == HWY_AVX3
  template <class Keys, class Mask>
  HWY_INLINE Keys CompressKeys(Keys keys, Mask mask) const {
    const hn::DFromV<Keys> d;
    const auto order = hn::Load(d, kOrders<8, 1, std::uint64_t>.unset_first[mask.raw]);
    return hn::TableLookupLanes(keys, hn::IndicesFromVec(d, order));
  }
#endif
};

void sort_words(std::uint64_t* keys, std::size_t count) {
  const detail::SharedTraits<Divided<detail::TraitsLane<detail::OrderAscending<std::uint64_t>>>>
      traits;
  hn::Sort(hn::SortTag<std::uint64_t>(), traits, keys, count, static_cast<std::uint64_t*>(nullptr));
}

// `count`: of words, two for each key.
void sort_pairs(std::uint64_t* keys, std::size_t count) {
  const detail::SharedTraits<Divided<detail::Traits128<detail::OrderAscending128>>> traits;
  hn::Sort(hn::SortTag<std::uint64_t>(), traits, keys, count, static_cast<std::uint64_t*>(nullptr));
}

}  // namespace spillway::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/targets.h>

#include <cstring>

namespace spillway {
namespace {

using Sort = void (*)(std::uint64_t* keys, std::size_t count);

struct Sorts {
  Sort words;
  Sort pairs;
};

std::int64_t disabled = 0;  // as DisableTargets() takes them

// Highway compiles for processors that have AES as well, from SSE4 on.  The program disables what
// the processor lacks of the rest (base/process/vector_level.h); this is for those who do not.
#define SPILLWAY_CAN_USE(TARGET, FEATURE)                                \
  ((disabled & (TARGET)) == 0 && __builtin_cpu_supports(FEATURE) != 0 && \
   __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("pclmul") != 0)

Sorts best() {
#if HWY_TARGETS & HWY_AVX3
  if (SPILLWAY_CAN_USE(HWY_AVX3, "avx512vl")) return {N_AVX3::sort_words, N_AVX3::sort_pairs};
#endif
#if HWY_TARGETS & HWY_AVX2
  if (SPILLWAY_CAN_USE(HWY_AVX2, "avx2")) return {N_AVX2::sort_words, N_AVX2::sort_pairs};
#endif
#if HWY_TARGETS & HWY_SSE4
  if (SPILLWAY_CAN_USE(HWY_SSE4, "sse4.2")) return {N_SSE4::sort_words, N_SSE4::sort_pairs};
#endif
  return {HWY_STATIC_DISPATCH(sort_words), HWY_STATIC_DISPATCH(sort_pairs)};
}

const Sorts& chosen() {
  static const Sorts sorts = best();
  return sorts;
}

}  // namespace
}  // namespace spillway

namespace hwy {

void DisableTargets(std::int64_t targets) { spillway::disabled = targets; }

Sorter::Sorter() = default;
void Sorter::Delete() {}

void Sorter::operator()(std::uint64_t* HWY_RESTRICT keys, std::size_t count, SortAscending) const {
  spillway::chosen().words(keys, count);
}

void Sorter::operator()(uint128_t* HWY_RESTRICT keys, std::size_t count, SortAscending) const {
  spillway::chosen().pairs(reinterpret_cast<std::uint64_t*>(keys), count * 2);
}

// Numbers that choose pivots: any will do, and the same ones every time make sorting repeatable.
void Sorter::Fill24Bytes(const void* /*seed*/, std::size_t count, void* bytes) {
  const std::uint64_t numbers[3] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9 ^ count,
                                    0x94d049bb133111eb};
  std::memcpy(bytes, numbers, sizeof numbers);
}

}  // namespace hwy
#endif  // HWY_ONCE
