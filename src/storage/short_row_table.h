// The set of all states met, for rows of one or two words: the rows themselves in cache-line buckets.
//
// A row's home is the bucket at hash / 2^64 of the table; when that is full it goes to the next one that is
// not.  So the table is ordered by hash, up to overflow, and grows by streaming: old buckets in order are
// copied to new buckets in order, and old pages go back to the system behind the copy.  There is never
// room for two tables, and no size that is a power of two.
//
// Besides the row each slot holds a one-byte tag of the search's choosing; the RAM search keeps in it
// at which depth a state was met (see level_tags.h).
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/crew.h"
#include "base/hash.h"
#include "base/pages.h"
#include "storage/bucket.h"

namespace spillway {

enum class Insert { fresh, known, full };

template <std::size_t W>
class ShortRowTable {
 public:
  // REQUIRES: homes >= 1.  Throws Error(usage) if the budget does not even hold this.
  ShortRowTable(Budget& budget, std::size_t homes);

  // Rows the table holds before it gets slow: the caller counts them and calls grow() in time.
  std::uint64_t comfortable_rows() const { return homes_ * kSlots * 9 / 10; }
  // Rows it can hold at all, if the hash is kind.
  std::uint64_t bytes() const { return pages_.size(); }

  void prefetch(std::uint64_t hash) const {
    const Bucket<W>* bucket = buckets() + home(hash);
    __builtin_prefetch(bucket);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(bucket) + 64);
  }

  // Any number of threads.  REQUIRES: hash == place_hash(row, W), tag != 0.
  // full: there is no room behind the row's home; grow() and try again.
  Insert insert(const Word* row, std::uint64_t hash, Tag tag);

  // Makes the table larger.  False: the budget has no more, and the table is as it was.
  // No other calls meanwhile.
  [[nodiscard]] bool grow(Crew& crew);

  // Replaces every tag t by map[t].  No other calls meanwhile.  REQUIRES: map[t] != 0 for t != 0.
  void retag(Crew& crew, const std::array<Tag, 256>& map);

  // Gives a row that is there another tag.  No insertions meanwhile.  REQUIRES: tag != 0.
  void set_tag(const Word* row, std::uint64_t hash, Tag tag);

  // Moves the rows with this tag to the beginning of the table's memory and returns them: they may be changed.  The
  // table is of no use any more; free() gives its memory back.
  std::span<Word> strip(Tag tag);
  void free() { pages_ = Pages(); }

  // Calls visit(worker, tag, row) for every row, from all threads of the crew, in any order.
  void each(Crew& crew, const std::function<void(unsigned, Tag, State)>& visit) const;

 private:
  // A part of the old table that one thread moves, and the part of the new one that only it writes.
  struct Move {
    std::size_t from, to;                         // old buckets
    std::size_t lowest, end;                      // new buckets
    std::vector<std::array<Word, W + 1>> strays;  // rows that belong elsewhere, with their tags
  };

  Bucket<W>* buckets() const { return reinterpret_cast<Bucket<W>*>(pages_.data()); }
  std::size_t home(std::uint64_t hash) const { return place_of(hash, homes_); }
  static std::size_t tail(std::size_t homes) { return 2 + homes / 64; }
  bool resize(Crew& crew, std::size_t homes);
  void move(const ShortRowTable& old, Move& part, Pages& old_pages);
  ShortRowTable(Pages pages, std::size_t homes) : pages_(std::move(pages)), homes_(homes), end_(homes + tail(homes)) {}

  Pages pages_;
  std::size_t homes_;  // buckets that are the home of some hash
  std::size_t end_;    // all buckets: some more, for the overflow of the last
};

extern template class ShortRowTable<1>;
extern template class ShortRowTable<2>;

// ------------------------------------------------------------------------------------------------------

template <std::size_t W>
[[gnu::always_inline]] inline Insert ShortRowTable<W>::insert(const Word* row, std::uint64_t hash, Tag tag) {
  Bucket<W>* const end = buckets() + end_;
  for (Bucket<W>* bucket = buckets() + home(hash); bucket != end; ++bucket) {
    std::uint64_t tags = bucket->tags.load(std::memory_order_acquire);
    for (;;) {
      const unsigned filled = filled_slots(tags);
      unsigned alike = slots_with(*bucket, row[0]) & ((1U << filled) - 1);
      if constexpr (W == 1) {
        if (alike != 0) return Insert::known;
      } else {
        for (; alike != 0; alike &= alike - 1) {
          const auto slot = static_cast<unsigned>(std::countr_zero(alike));
          if (bucket->rest[0][slot] == row[1]) return Insert::known;
        }
      }
      if (filled == kSlots) break;  // on to the next bucket
      if ((tags & kLock) != 0) {
        tags = bucket->tags.load(std::memory_order_acquire);
        continue;
      }
      if (!bucket->tags.compare_exchange_weak(tags, tags | kLock, std::memory_order_acquire)) continue;
      std::atomic_ref(bucket->first[filled]).store(row[0], std::memory_order_relaxed);
      if constexpr (W > 1) bucket->rest[0][filled] = row[1];
      bucket->tags.store(with_tag(tags, filled, tag), std::memory_order_release);
      return Insert::fresh;
    }
  }
  return Insert::full;
}

}  // namespace spillway
