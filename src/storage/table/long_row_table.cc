#include "storage/table/long_row_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/error.h"
#include "base/hash/hash.h"

namespace spillway {
namespace {
constexpr std::uint64_t kAtOnce = 32;  // rows that are on their way into the index
std::size_t buckets_for(std::size_t homes) { return homes + 2 + homes / 64; }
}  // namespace

LongRowTable::LongRowTable(Budget& budget, const RowPool& pool, std::size_t words,
                           std::size_t homes)
    : pool_(&pool), words_(words), homes_(homes), end_(buckets_for(homes)) {
  pages_ = Pages::need(budget, end_ * sizeof(Bucket<1>));
}

// `number` is called once the row is known to be new, and gives the number to store; `known` is
// called with the number of a row that is there.
template <class Number, class Known>
Insert LongRowTable::insert_number(const Word* row, std::uint64_t hash, Number number,
                                   Known known) {
  const Word mark = mark_of(hash);
  const auto holds = [&](Bucket<1>& bucket, unsigned slots) {
    unsigned alike = slots_with(bucket, mark, ~kNumberMask) & slots;
    for (; alike != 0; alike &= alike - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(alike));
      const Word entry = std::atomic_ref(bucket.first[slot]).load(std::memory_order_relaxed);
      if (!equal({pool_->row(entry & kNumberMask).data(), words_}, {row, words_})) continue;
      known(entry & kNumberMask);
      return true;
    }
    return false;
  };
  const auto write = [&](Bucket<1>& bucket, unsigned slot) {
    std::atomic_ref(bucket.first[slot]).store(mark | number(), std::memory_order_relaxed);
  };
  return insert_into(buckets() + home(hash), buckets() + end_, 1, holds, write);
}

Insert LongRowTable::insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer) {
  return insert_number(
      row, hash, [&] { return writer.append(row); }, [](std::uint64_t) {});
}

Insert LongRowTable::insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer,
                            std::uint64_t& number) {
  return insert_number(
      row, hash, [&] { return number = writer.append(row); },
      [&](std::uint64_t known) { number = known; });
}

bool LongRowTable::grow(Crew& crew, std::span<const RowPool::Segment> stored) {
  return grow(crew, stored, [this](unsigned, const Word* row) { return place_hash(row, words_); });
}

bool LongRowTable::grow(Crew& crew, std::span<const RowPool::Segment> stored,
                        const HashOf& hash_of) {
  if (remake(crew, stored, hash_of, homes_ * 2)) return true;
  for (const std::size_t part : {4, 8, 16})
    if (homes_ >= part && remake(crew, stored, hash_of, homes_ + homes_ / part)) return true;
  return false;
}

bool LongRowTable::remake(Crew& crew, std::span<const RowPool::Segment> stored,
                          const HashOf& hash_of, std::size_t homes) {
  std::optional<Pages> pages = Pages::replacing(pages_, buckets_for(homes) * sizeof(Bucket<1>), 0);
  if (!pages) return false;
  pages_ = Pages();  // before the first touch of the new ones
  pages_ = std::move(*pages);
  homes_ = homes;
  end_ = buckets_for(homes);
  SPILLWAY_CHECK(add(crew, stored, hash_of));
  return true;
}

bool LongRowTable::add(Crew& crew, std::span<const RowPool::Segment> stored,
                       const HashOf& hash_of) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> fits{true};
  crew.each([&](unsigned thread) {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < stored.size();) {
      const RowPool::Segment segment = stored[i];
      for (std::uint64_t done = 0; done < segment.count; done += kAtOnce)
        if (!add(segment.first + done, std::min(segment.count - done, kAtOnce), hash_of, thread))
          fits.store(false);
    }
  });
  return fits.load();
}

// The lines of some rows are asked for before the first is inserted.
bool LongRowTable::add(std::uint64_t first, std::size_t count, const HashOf& hash_of,
                       unsigned thread) {
  std::array<std::uint64_t, kAtOnce> hashes;
  for (std::size_t i = 0; i < count; ++i) {
    hashes[i] = hash_of(thread, pool_->row(first + i).data());
    prefetch(hashes[i]);
  }
  bool fits = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Insert done = insert_number(
        pool_->row(first + i).data(), hashes[i], [&] { return first + i; }, [](std::uint64_t) {});
    SPILLWAY_CHECK(done != Insert::known);
    fits = fits && done == Insert::fresh;
  }
  return fits;
}

}  // namespace spillway
