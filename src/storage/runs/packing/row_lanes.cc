#include "storage/runs/packing/row_lanes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace spillway {
namespace {

// A bit of code that functions for a higher level may contain: there the compiler makes other
// instructions of it.
template <std::size_t W>
[[gnu::always_inline]] inline Word* copy_missing(const Word* row, const Word* const end,
                                                 const RowPlanes& others, Word* out) {
  for (; row != end; row += W) {
    Word wanted[W];
    for (std::size_t w = 0; w < W; ++w) wanted[w] = row[w];
    Word found = 0;  // not a bool: compilers would not vectorize it
    for (std::size_t i = 0; i < others.count; ++i) {
      Word differ = 0;
      for (std::size_t w = 0; w < W; ++w)
        differ |= others.words[w * others.distance + i] ^ wanted[w];
      found |= static_cast<Word>(differ == 0);
    }
    for (std::size_t w = 0; w < W; ++w) out[w] = wanted[w];
    out += found == 0 ? W : 0;
  }
  return out;
}

template <std::size_t W>
Word* copy_missing_baseline(const Word* row, const Word* end, const RowPlanes& others, Word* out) {
  return copy_missing<W>(row, end, others, out);
}

#ifdef __x86_64__

template <std::size_t W>
[[gnu::target("avx2,bmi2")]] Word* copy_missing_avx2(const Word* row, const Word* end,
                                                     const RowPlanes& others, Word* out) {
  return copy_missing<W>(row, end, others, out);
}

template <std::size_t W>
[[gnu::target("avx512f")]] Word* copy_missing_avx512(const Word* row, const Word* end,
                                                     const RowPlanes& others, Word* out) {
  for (; row != end; row += W) {
    __m512i wanted[W];
    for (std::size_t w = 0; w < W; ++w)
      wanted[w] = _mm512_set1_epi64(static_cast<long long>(row[w]));
    __mmask8 found = 0;
    for (std::size_t i = 0; i < others.count; i += kLanes) {
      __mmask8 alike = 0xff;
      for (std::size_t w = 0; w < W; ++w)
        alike = _mm512_mask_cmpeq_epi64_mask(
            alike, _mm512_loadu_si512(others.words + w * others.distance + i), wanted[w]);
      found |= alike;
    }
    for (std::size_t w = 0; w < W; ++w) out[w] = row[w];
    out += found == 0 ? W : 0;
  }
  return out;
}

#endif

}  // namespace

template <std::size_t W>
CopyMissing copy_missing_for([[maybe_unused]] VectorLevel level) {
#ifdef __x86_64__
  if (level == VectorLevel::avx512) return copy_missing_avx512<W>;
  if (level == VectorLevel::avx2) return copy_missing_avx2<W>;
#endif
  return copy_missing_baseline<W>;
}

template CopyMissing copy_missing_for<1>(VectorLevel level);
template CopyMissing copy_missing_for<2>(VectorLevel level);
template CopyMissing copy_missing_for<3>(VectorLevel level);
template CopyMissing copy_missing_for<4>(VectorLevel level);

}  // namespace spillway
