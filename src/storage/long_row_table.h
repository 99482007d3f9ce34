// The set of all states met, for rows of any length: the rows in a pool, and an index of buckets.
//
// A slot of the index holds the number of a row (40 bits) and 24 bits of its hash; a row is compared only
// when these agree.  Where a hash has its home, and how buckets fill, is as in short_row_table.h.  The
// index can be made again from the pool, so it grows by being thrown away first.
#pragma once

#include <span>

#include "base/crew.h"
#include "base/hash.h"
#include "base/pages.h"
#include "storage/bucket.h"
#include "storage/row_pool.h"
#include "storage/short_row_table.h"

namespace spillway {

class LongRowTable {
 public:
  // REQUIRES: homes >= 1.  Throws Error(usage) if the budget does not even hold this.
  LongRowTable(Budget& budget, const RowPool& pool, std::size_t words, std::size_t homes);

  std::uint64_t comfortable_rows() const { return homes_ * kSlots * 8 / 10; }
  std::uint64_t bytes() const { return pages_.size(); }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(buckets() + home(hash), 1); }

  // When the line asked for by prefetch() has come: asks for the rows that look like the one with this hash.
  void prefetch_rows(std::uint64_t hash) const {
    const Bucket<1>& bucket = buckets()[home(hash)];
    for (unsigned alike = slots_with(bucket, mark_of(hash), ~kNumberMask); alike != 0; alike &= alike - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(alike));
      const Word entry = std::atomic_ref(const_cast<Word&>(bucket.first[slot])).load(std::memory_order_relaxed);
      __builtin_prefetch(pool_.row(entry & kNumberMask).data());
    }
  }

  // Any number of threads, each with its own writer.  A fresh row is appended to the writer.
  // REQUIRES: hash == place_hash(row, words), writer.ready() was true.
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer);

  // Gives the memory of the index back; the rows are the pool's.
  void free() { pages_ = Pages(); }

  // Makes the index larger; `stored` names all rows of the pool that are in the set.  False: the budget
  // has no more, and the table is as it was.  No other calls meanwhile.
  [[nodiscard]] bool grow(Crew& crew, std::span<const RowPool::Segment> stored);

 private:
  static constexpr unsigned kNumberBits = 40;
  static constexpr Word kNumberMask = (Word{1} << kNumberBits) - 1;
  // The low bits of the hash: the high ones chose the home.
  static Word mark_of(std::uint64_t hash) { return hash << kNumberBits; }

  Bucket<1>* buckets() const { return reinterpret_cast<Bucket<1>*>(pages_.data()); }
  std::size_t home(std::uint64_t hash) const { return place_of(hash, homes_); }
  bool remake(Crew& crew, std::span<const RowPool::Segment> stored, std::size_t homes);
  template <class Number>
  Insert insert_number(const Word* row, std::uint64_t hash, Number number);

  const RowPool& pool_;
  const std::size_t words_;
  Pages pages_;
  std::size_t homes_ = 0;
  std::size_t end_ = 0;
};

}  // namespace spillway
