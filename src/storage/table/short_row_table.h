// The visited set for rows of one or two words: the rows themselves, in cache-line buckets.
//
// The home of a row is the bucket at hash / 2^64 of the table.  If it is full, the row goes to the
// next bucket that is not.  So the table is ordered by hash, up to overflow, and grows by
// streaming: old buckets are copied to new buckets in order, and old pages return to the system as
// the copy advances.  There is never a need for two tables at a time, or for a size that is a power
// of two.
//
// Each slot also holds a one-byte tag chosen by the search.  The RAM search keeps the depth of the
// state in it (see level_tags.h).
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "base/hash/hash.h"
#include "base/memory/budget.h"
#include "base/memory/pages.h"
#include "base/process/crew.h"
#include "storage/table/bucket.h"

namespace spillway {

template <std::size_t W>
class ShortRowTable {
 public:
  // REQUIRES: homes >= 1.  Throws Error(usage) if the budget refuses.
  ShortRowTable(Budget& budget, std::size_t homes);

  // Rows the table holds before it gets slow.  The caller counts them and calls grow() in time.
  std::uint64_t comfortable_rows() const { return homes_ * kSlots * 9 / 10; }
  // Memory of the table.
  std::uint64_t bytes() const { return pages_.size(); }

  void prefetch(std::uint64_t hash) const {
    const Bucket<W>* bucket = buckets() + home(hash);
    __builtin_prefetch(bucket);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(bucket) + 64);
  }

  // Any number of threads.  Insert::full: no bucket from the home of the row on has room; call
  // grow() and try again.  REQUIRES: hash == place_hash(row, W), tag != 0.
  Insert insert(const Word* row, std::uint64_t hash, Tag tag);

  // Enlarges the table.  False if the budget refuses, with the table unchanged.  REQUIRES: no
  // concurrent calls.
  [[nodiscard]] bool grow(Crew& crew);

  // Replaces every tag t by map[t].  REQUIRES: map[t] != 0 for t != 0; no concurrent calls.
  void retag(Crew& crew, const std::array<Tag, 256>& map);

  // Changes the tag of a row.  REQUIRES: the row is in the table, tag != 0; no concurrent
  // insertions.
  void set_tag(const Word* row, std::uint64_t hash, Tag tag);

  // Moves the rows with this tag to the beginning of the table's memory and returns them; the
  // caller may change them.  The table is unusable afterwards, and free() invalidates the rows.
  std::span<Word> strip(Tag tag);
  void free() { pages_ = Pages(); }

  // Calls visit(worker, tag, row) for every row, from all threads of the crew, in any order.
  void each(Crew& crew, const std::function<void(unsigned, Tag, State)>& visit) const;

 private:
  // The part of the old table that one thread moves, and the part of the new one that only it
  // writes.
  struct Move {
    std::size_t from, to;                         // old buckets
    std::size_t lowest, end;                      // new buckets
    std::vector<std::array<Word, W + 1>> strays;  // rows for other parts, with their tags
  };

  Bucket<W>* buckets() const { return reinterpret_cast<Bucket<W>*>(pages_.data()); }
  std::size_t home(std::uint64_t hash) const { return place_of(hash, homes_); }
  static std::size_t tail(std::size_t homes) { return 2 + homes / 64; }
  bool resize(Crew& crew, std::size_t homes);
  void move(const ShortRowTable& old, Move& part, Pages& old_pages);
  ShortRowTable(Pages pages, std::size_t homes)
      : pages_(std::move(pages)), homes_(homes), end_(homes + tail(homes)) {}

  Pages pages_;
  std::size_t homes_;  // buckets that are the home of some hash
  std::size_t end_;    // all buckets, including overflow of the last home
};

extern template class ShortRowTable<1>;
extern template class ShortRowTable<2>;

// -------------------------------------------------------------------------------------------------

template <std::size_t W>
[[gnu::always_inline]] inline Insert ShortRowTable<W>::insert(const Word* row, std::uint64_t hash,
                                                              Tag tag) {
  const auto holds = [&](const Bucket<W>& bucket, unsigned slots) {
    unsigned alike = slots_with(bucket, row[0]) & slots;
    if constexpr (W == 1) {
      return alike != 0;
    } else {
      for (; alike != 0; alike &= alike - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(alike));
        if (bucket.rest[0][slot] == row[1]) return true;
      }
      return false;
    }
  };
  const auto write = [&](Bucket<W>& bucket, unsigned slot) {
    std::atomic_ref(bucket.first[slot]).store(row[0], std::memory_order_relaxed);
    if constexpr (W > 1) bucket.rest[0][slot] = row[1];
  };
  return insert_into(buckets() + home(hash), buckets() + end_, tag, holds, write);
}

}  // namespace spillway
