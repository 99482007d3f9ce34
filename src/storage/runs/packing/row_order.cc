#include "storage/runs/packing/row_order.h"

// Otherwise Highway 1.0.3 does not compile with -march=native where that means AVX-512 with VBMI2.
#define HWY_WANT_AVX3_DL 1
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/process/vector_level.h"

namespace spillway {
namespace {

constexpr std::size_t kFew = 24;  // rows that a comparison sort is faster for

template <std::size_t W>
std::size_t unique(Word* rows, std::size_t count, Width<W> width) {
  if (count == 0) return 0;
  Word* last = rows;
  for (const Word* row = rows + width.words(); row != rows + count * width.words();
       row += width.words()) {
    if (same(last, row, width)) continue;
    last += width.words();
    copy_row(last, row, width);
  }
  return static_cast<std::size_t>(last - rows) / width.words() + 1;
}

std::size_t unique_words(Word* rows, std::size_t count) {
  if (count == 0) return 0;
  std::size_t kept = 1;  // without branches: which rows are repeated cannot be predicted
  for (std::size_t i = 1; i < count; ++i) {
    const Word row = rows[i];
    const bool differs = row != rows[kept - 1];
    rows[kept] = row;
    kept += differs ? 1 : 0;
  }
  return kept;
}

// Highway looks at the processor by itself.  In its sets of targets, better ones have lower bits.
bool restrict_highway([[maybe_unused]] VectorLevel level) {
#ifdef __x86_64__
  if (level != VectorLevel::avx512)
    hwy::DisableTargets((level == VectorLevel::avx2 ? HWY_AVX2 : HWY_SSE4) - 1);
#endif
  return true;
}

// 64 bits of a row, from this one on.
Word bits_from(const Word* row, std::size_t low) {
  row += low / 64;
  const std::size_t shift = low % 64;
  return shift == 0 ? row[0] : row[0] >> shift | row[1] << (64 - shift);
}

}  // namespace

struct RowSorter::Tools {
  hwy::Sorter sorter;
  // Low word: number of a row, high word: one of its words.  (Highway's pairs of key and value lose
  // values in version 1.0.3 when keys are all ones.)
  std::vector<hwy::uint128_t> pairs;
  std::vector<Word> row;  // one, while others move
};

RowSorter::RowSorter(std::size_t words) : words_(words), tools_(new Tools) {
  static const bool restricted = restrict_highway(vector_level());
  static_cast<void>(restricted);
  tools_->row.resize(words);
}
RowSorter::~RowSorter() { delete tools_; }
RowSorter::RowSorter(RowSorter&& other) noexcept : words_(other.words_), tools_(other.tools_) {
  other.tools_ = nullptr;
}

void RowSorter::sort(Word* rows, std::size_t count) {
  if (count < 2) return;
  if (words_ == 1) {
    tools_->sorter(rows, count, hwy::SortAscending());
  } else if (words_ == 2) {
    tools_->sorter(reinterpret_cast<hwy::uint128_t*>(rows), count, hwy::SortAscending());
  } else {
    sort_long(rows, count);
  }
}

std::size_t RowSorter::sort_unique(Word* rows, std::size_t count) {
  sort(rows, count);
  if (words_ == 1) return unique_words(rows, count);
  if (words_ == 2) return unique(rows, count, Width<2>(2));
  return unique(rows, count, Width<0>(words_));
}

// By the 64 most significant bits that any row has, then groups that agree in them by the next 64,
// and so on.
void RowSorter::sort_long(Word* rows, std::size_t count) {
  std::size_t bits = 0;
  for (std::size_t word = words_; word-- > 0 && bits == 0;) {
    Word any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= rows[i * words_ + word];
    if (any != 0) bits = word * 64 + 64 - static_cast<std::size_t>(std::countl_zero(any));
  }
  if (bits == 0) return;
  if (tools_->pairs.capacity() < count) {  // no more than that: who sorts has counted it
    std::vector<hwy::uint128_t>().swap(tools_->pairs);
    tools_->pairs.reserve(count);
  }
  tools_->pairs.resize(count);
  for (std::size_t i = 0; i < count; ++i) tools_->pairs[i].lo = i;
  sort_pairs(0, count, bits, rows);
  permute(rows, count);
}

// `bits`: the lowest so many are left to be compared.
void RowSorter::sort_pairs(std::size_t first, std::size_t last, std::size_t bits,
                           const Word* rows) {
  hwy::uint128_t* pairs = tools_->pairs.data();
  if (last - first <= kFew) {
    const auto less = [&](const hwy::uint128_t& a, const hwy::uint128_t& b) {
      return below(rows + a.lo * words_, rows + b.lo * words_, Width<0>((bits + 63) / 64));
    };
    std::sort(pairs + first, pairs + last, less);
    return;
  }
  const std::size_t low = bits > 64 ? bits - 64 : 0;
  bool alike = true;
  for (std::size_t i = first; i < last; ++i) {
    pairs[i].hi = bits_from(rows + pairs[i].lo * words_, low);
    alike = alike && pairs[i].hi == pairs[first].hi;
  }
  if (!alike) tools_->sorter(pairs + first, last - first, hwy::SortAscending());
  if (low == 0) return;
  for (std::size_t i = first; i < last;) {
    std::size_t end = i + 1;
    while (end < last && pairs[end].hi == pairs[i].hi) ++end;
    if (end - i > 1) sort_pairs(i, end, low, rows);
    i = end;
  }
}

// Moves every row to its place, cycle by cycle.
void RowSorter::permute(Word* rows, std::size_t count) {
  hwy::uint128_t* pairs = tools_->pairs.data();
  const std::size_t bytes = words_ * sizeof(Word);
  for (std::size_t start = 0; start < count; ++start) {
    if (pairs[start].lo == start) continue;
    std::memcpy(tools_->row.data(), rows + start * words_, bytes);
    std::size_t place = start;
    for (std::size_t from = pairs[place].lo; from != start; from = pairs[place].lo) {
      std::memcpy(rows + place * words_, rows + from * words_, bytes);
      pairs[place].lo = place;
      place = from;
    }
    std::memcpy(rows + place * words_, tools_->row.data(), bytes);
    pairs[place].lo = place;
  }
}

}  // namespace spillway
