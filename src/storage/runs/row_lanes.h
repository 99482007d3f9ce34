// Searches for a row among others that are stored as planes, one for each word, so that eight rows
// are compared at a time.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <cstddef>

#include "base/state.h"

namespace spillway {

inline constexpr std::size_t kLanes = 8;
// Distance between the planes of `rows` rows.
constexpr std::size_t plane_words(std::size_t rows) { return (rows / kLanes + 1) * kLanes; }

// True if `row` is among the first `count` rows, or among those that pad the last lanes.  The plain
// version is the reference for the other one, and serves machines without AVX-512.
template <std::size_t W>
bool is_among_plain(const Word* row, const Word* planes, std::size_t plane, std::size_t count) {
  Word found = 0;  // not a bool: compilers would not vectorize it
  for (std::size_t i = 0; i < count; ++i) {
    Word differ = 0;
    for (std::size_t w = 0; w < W; ++w) differ |= planes[w * plane + i] ^ row[w];
    found |= static_cast<Word>(differ == 0);
  }
  return found != 0;
}

template <std::size_t W>
bool is_among(const Word* row, const Word* planes, std::size_t plane, std::size_t count) {
#ifdef __AVX512F__
  __mmask8 found = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    __mmask8 alike = 0xff;
    for (std::size_t w = 0; w < W; ++w)
      alike = _mm512_mask_cmpeq_epi64_mask(alike, _mm512_loadu_si512(planes + w * plane + i),
                                           _mm512_set1_epi64(static_cast<long long>(row[w])));
    found |= alike;
  }
  return found != 0;
#else
  return is_among_plain<W>(row, planes, plane, count);
#endif
}

}  // namespace spillway
