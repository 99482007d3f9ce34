// The visited set for rows of any length: rows in a pool, and an index of buckets.
//
// A slot of the index holds the number of a row (40 bits) and 24 bits of its hash; a row is
// compared only if these agree.  Home buckets and overflow are as in short_row_table.h.  The index
// can be rebuilt from the pool, so to grow it is freed first and then rebuilt.
#pragma once

#include <functional>
#include <span>

#include "base/hash/hash.h"
#include "base/memory/pages.h"
#include "base/process/crew.h"
#include "storage/table/bucket.h"
#include "storage/table/row_pool.h"

namespace spillway {

class LongRowTable {
 public:
  // Rows of the pool may have more words, which the table leaves alone.  REQUIRES: homes >= 1.
  // Throws Error(usage) if the budget refuses.
  LongRowTable(Budget& budget, const RowPool& pool, std::size_t words, std::size_t homes);

  std::uint64_t comfortable_rows() const { return homes_ * kSlots * 8 / 10; }
  std::uint64_t bytes() const { return pages_.size(); }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(buckets() + home(hash), 1); }

  // To be called once the line requested by prefetch() has arrived: prefetches the rows whose mark
  // matches this hash.
  void prefetch_rows(std::uint64_t hash) const {
    const Bucket<1>& bucket = buckets()[home(hash)];
    for (unsigned alike = slots_with(bucket, mark_of(hash), ~kNumberMask); alike != 0;
         alike &= alike - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(alike));
      const Word entry =
          std::atomic_ref(const_cast<Word&>(bucket.first[slot])).load(std::memory_order_relaxed);
      __builtin_prefetch(pool_->row(entry & kNumberMask).data());
    }
  }

  // Any number of threads, each with its own writer.  A fresh row is appended to the writer.
  // REQUIRES: writer.ready() was true; hash == place_hash(row, words), unless growth is told
  // another.
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer);
  // The same; `number` is that of the row, fresh or known.
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer,
                std::uint64_t& number);

  // The hash of a row of the pool, told on a thread of a crew.
  using HashOf = std::function<std::uint64_t(unsigned thread, const Word* row)>;

  // Frees the index; the rows belong to the pool.
  void free() { pages_ = Pages(); }

  // Enlarges the index; `stored` covers all rows of the set.  False if the budget refuses, with the
  // table unchanged.  REQUIRES: no concurrent calls.
  [[nodiscard]] bool grow(Crew& crew, std::span<const RowPool::Segment> stored);
  // The same for rows that were inserted with other hashes.
  [[nodiscard]] bool grow(Crew& crew, std::span<const RowPool::Segment> stored,
                          const HashOf& hash_of);
  // Adds rows of the pool.  False if there is no room for some of them.
  [[nodiscard]] bool add(Crew& crew, std::span<const RowPool::Segment> stored,
                         const HashOf& hash_of);
  std::size_t homes() const { return homes_; }
  // The same rows have the same numbers in this pool, and another length.
  void go_over_to(const RowPool& pool, std::size_t words) {
    pool_ = &pool;
    words_ = words;
  }

 private:
  static constexpr unsigned kNumberBits = 40;
  static constexpr Word kNumberMask = (Word{1} << kNumberBits) - 1;
  // The low bits of the hash: the high ones select the home.
  static Word mark_of(std::uint64_t hash) { return hash << kNumberBits; }

  Bucket<1>* buckets() const { return reinterpret_cast<Bucket<1>*>(pages_.data()); }
  std::size_t home(std::uint64_t hash) const { return place_of(hash, homes_); }
  bool remake(Crew& crew, std::span<const RowPool::Segment> stored, const HashOf& hash_of,
              std::size_t homes);
  template <class Number, class Known>
  Insert insert_number(const Word* row, std::uint64_t hash, Number number, Known known);

  bool add(std::uint64_t first, std::size_t count, const HashOf& hash_of, unsigned thread);

  const RowPool* pool_;
  std::size_t words_;
  Pages pages_;
  std::size_t homes_ = 0;
  std::size_t end_ = 0;
};

}  // namespace spillway
