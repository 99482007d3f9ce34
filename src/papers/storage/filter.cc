#include "papers/storage/filter.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "storage/table/table_entry.h"

namespace spillway {

Filter::Filter(Budget& budget, std::uint64_t bytes, std::uint64_t states)
    : words_(std::max<std::size_t>(1, bytes / 8)),
      set_(best_count(static_cast<double>(words_) * 64 /
                      static_cast<double>(std::max<std::uint64_t>(1, states)))),
      pages_(table_pages(budget, words_ * 8, "a filter")) {}

// Measured: below 2.5 bits one is best, three and two are alike at 4, above 7 nothing is gained by
// more than four.
unsigned Filter::best_count(double bits_per_state) {
  if (bits_per_state < 2.5) return 1;
  if (bits_per_state < 4.5) return 2;
  return bits_per_state < 7 ? 3 : 4;
}

void Filter::add_shared(std::uint64_t hash) {
  std::atomic_ref(*word(hash)).fetch_or(bits(hash), std::memory_order_relaxed);
}

bool Filter::may_contain_shared(std::uint64_t hash) const {
  const std::uint64_t wanted = bits(hash);
  return (std::atomic_ref(*word(hash)).load(std::memory_order_relaxed) & wanted) == wanted;
}

void Filter::clear() { std::memset(pages_.data(), 0, words_ * 8); }

}  // namespace spillway
