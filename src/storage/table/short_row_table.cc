#include "storage/table/short_row_table.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash/hash.h"

namespace spillway {
namespace {

// The share of worker w when `count` things are dealt out in order, in units that do not split a
// piece of pages, so that everyone can release what it has read.
std::size_t share_begin(std::size_t count, unsigned w, unsigned workers, std::size_t unit) {
  if (w == workers) return count;
  return count / unit * w / workers * unit;
}

}  // namespace

template <std::size_t W>
ShortRowTable<W>::ShortRowTable(Budget& budget, std::size_t homes)
    : homes_(homes), end_(homes + tail(homes)) {
  pages_ = Pages::need(budget, end_ * sizeof(Bucket<W>));
}

template <std::size_t W>
bool ShortRowTable<W>::grow(Crew& crew) {
  // Small tables double.  Large ones grow in steps that keep them at least 72% full, smaller ones
  // when the budget refuses: the last percent of memory is worth a slow minute.
  if (pages_.size() < (std::size_t{64} << 20) && resize(crew, homes_ * 2)) return true;
  for (const std::size_t part : {4, 8, 16, 32})
    if (homes_ >= part && resize(crew, homes_ + homes_ / part)) return true;
  return false;
}

template <std::size_t W>
bool ShortRowTable<W>::resize(Crew& crew, std::size_t homes) {
  const std::size_t slack = 2 * Pages::kPiece * crew.size();
  const std::size_t bytes = (homes + tail(homes)) * sizeof(Bucket<W>);
  std::optional<Pages> pages =
      Pages::replacing(pages_, bytes, pages_.size() < slack ? pages_.size() : slack);
  if (!pages) return false;
  ShortRowTable larger(std::move(*pages), homes);

  std::vector<Move> parts(crew.size());
  crew.each([&](unsigned w) {
    const std::size_t piece = Pages::kPiece / sizeof(Bucket<W>);
    const std::size_t unit = end_ < piece * crew.size() ? 1 : piece;
    Move& part = parts[w];
    part.from = share_begin(end_, w, crew.size(), unit);
    part.to = share_begin(end_, w + 1, crew.size(), unit);
    // no row with its home at `old` or later moves in front of it
    const auto first_home = [&](std::size_t old) {
      return static_cast<std::size_t>(static_cast<Wide>(std::min(old, homes_)) * homes / homes_);
    };
    part.lowest = first_home(part.from);
    part.end = w + 1 == crew.size() ? larger.end_ : first_home(part.to);
    larger.move(*this, part, pages_);
  });
  for (Move& part : parts) {
    for (const auto& stray : part.strays) {
      const Insert done =
          larger.insert(stray.data(), place_hash(stray.data(), W), static_cast<Tag>(stray[W]));
      SPILLWAY_CHECK(done == Insert::fresh);
    }
  }
  *this = std::move(larger);
  return true;
}

// Only this thread writes the buckets from part.lowest to part.end, so plain stores do.
template <std::size_t W>
void ShortRowTable<W>::move(const ShortRowTable& old, Move& part, Pages& old_pages) {
  const std::size_t unit = Pages::kPiece / sizeof(Bucket<W>);
  for (std::size_t b = part.from; b < part.to; ++b) {
    const Bucket<W>& source = old.buckets()[b];
    const std::uint64_t tags = source.tags.load(std::memory_order_relaxed);
    const unsigned filled = filled_slots(tags);
    for (unsigned slot = 0; slot < filled; ++slot) {
      std::array<Word, W + 1> row;
      row[0] = source.first[slot];
      if constexpr (W > 1) row[1] = source.rest[0][slot];
      std::size_t target = home(place_hash(row.data(), W));
      if (target >= part.lowest)
        while (target < part.end && is_full(buckets()[target].tags.load(std::memory_order_relaxed)))
          ++target;
      if (target < part.lowest || target >= part.end) {
        row[W] = tag_of(tags, slot);
        part.strays.push_back(row);
        continue;
      }
      Bucket<W>& bucket = buckets()[target];
      const std::uint64_t there = bucket.tags.load(std::memory_order_relaxed);
      const unsigned place = filled_slots(there);
      bucket.first[place] = row[0];
      if constexpr (W > 1) bucket.rest[0][place] = row[1];
      bucket.tags.store(with_tag(there, place, tag_of(tags, slot)), std::memory_order_relaxed);
    }
    if ((b + 1) % unit == 0) {  // a piece has been read, if it is ours from its beginning
      const std::size_t from = std::max(part.from, b + 1 - unit);
      old_pages.release(from * sizeof(Bucket<W>), (b + 1) * sizeof(Bucket<W>));
    }
  }
}

template <std::size_t W>
void ShortRowTable<W>::retag(Crew& crew, const std::array<Tag, 256>& map) {
  crew.each([&](unsigned w) {
    const std::size_t to = share_begin(end_, w + 1, crew.size(), 1);
    for (std::size_t b = share_begin(end_, w, crew.size(), 1); b < to; ++b) {
      const std::uint64_t tags = buckets()[b].tags.load(std::memory_order_relaxed);
      std::uint64_t mapped = 0;
      for (unsigned slot = 0; slot < filled_slots(tags); ++slot)
        mapped = with_tag(mapped, slot, map[tag_of(tags, slot)]);
      buckets()[b].tags.store(mapped, std::memory_order_relaxed);
    }
  });
}

template <std::size_t W>
void ShortRowTable<W>::set_tag(const Word* row, std::uint64_t hash, Tag tag) {
  for (std::size_t b = home(hash); b < end_; ++b) {
    Bucket<W>& bucket = buckets()[b];
    const std::uint64_t tags = bucket.tags.load(std::memory_order_relaxed);
    for (unsigned slot = 0; slot < filled_slots(tags); ++slot) {
      if (bucket.first[slot] != row[0]) continue;
      if constexpr (W > 1)
        if (bucket.rest[0][slot] != row[1]) continue;
      const std::uint64_t others = tags & ~(std::uint64_t{0xff} << 8 * slot);
      return bucket.tags.store(with_tag(others, slot, tag), std::memory_order_relaxed);
    }
  }
  SPILLWAY_CHECK(false && "the row is in the table");
}

// Rows are written behind what has been read: seven rows take less room than their bucket.
template <std::size_t W>
std::span<Word> ShortRowTable<W>::strip(Tag tag) {
  Word* const begin = reinterpret_cast<Word*>(pages_.data());
  Word* out = begin;
  for (std::size_t b = 0; b < end_; ++b) {
    const Bucket<W>& bucket = buckets()[b];
    const std::uint64_t tags = bucket.tags.load(std::memory_order_relaxed);
    std::array<Word, kSlots * W> rows;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      rows[slot * W] = bucket.first[slot];
      if constexpr (W > 1) rows[slot * W + 1] = bucket.rest[0][slot];
    }
    for (unsigned slot = 0; slot < filled_slots(tags); ++slot)
      if (tag_of(tags, slot) == tag) out = std::copy_n(rows.data() + slot * W, W, out);
  }
  return {begin, out};
}

template <std::size_t W>
void ShortRowTable<W>::each(Crew& crew,
                            const std::function<void(unsigned, Tag, State)>& visit) const {
  crew.each([&](unsigned w) {
    const std::size_t to = share_begin(end_, w + 1, crew.size(), 1);
    for (std::size_t b = share_begin(end_, w, crew.size(), 1); b < to; ++b) {
      const Bucket<W>& bucket = buckets()[b];
      const std::uint64_t tags = bucket.tags.load(std::memory_order_relaxed);
      for (unsigned slot = 0; slot < filled_slots(tags); ++slot) {
        std::array<Word, W> row;
        row[0] = bucket.first[slot];
        if constexpr (W > 1) row[1] = bucket.rest[0][slot];
        visit(w, tag_of(tags, slot), row);
      }
    }
  });
}

template class ShortRowTable<1>;
template class ShortRowTable<2>;

}  // namespace spillway
