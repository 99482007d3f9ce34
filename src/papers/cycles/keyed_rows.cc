#include "papers/cycles/keyed_rows.h"

#include <algorithm>
#include <vector>

#include "storage/runs/external_sort.h"

namespace spillway {
namespace {

constexpr std::size_t kKeyedChunkBytes = 16 << 10;

// The key is the last word of a row, which comes first in the order of rows.
template <std::size_t W>
class SortedKeyedRows final : public KeyedRows {
 public:
  SortedKeyedRows(Budget& budget, Disk& disk, std::size_t words, std::size_t room)
      : shape_(BlockShape::of(words + 1)),
        store_(budget, disk, kKeyedChunkBytes, shape_.most_bytes(), budget.limit() / 4),
        sort_(budget, store_, shape_, room) {}

  void add(std::uint64_t key, State row) override {
    Word* const place = sort_.place(1);
    std::ranges::copy(row, place);
    place[row.size()] = key;
    sort_.keep(1);
  }
  std::optional<std::uint64_t> key() override {
    if (!reading_) reading_.emplace(*this);
    if (!reading_->has_row()) return std::nullopt;
    return reading_->row().back();
  }
  State take() override {
    const State row = reading_->row();
    ++reading_->at;
    return row.first(row.size() - 1);
  }
  void clear() override {
    reading_.reset();
    sort_.clear();
  }

 private:
  struct Reading {
    explicit Reading(SortedKeyedRows& of)
        : sorter(of.sort_.sorter()),
          words(of.shape_.words),
          sources(sources_of(of.sort_)),
          room(RowMerge<W>::room(sources, 1)),
          claim(of.store_.budget(), BlockUnpacker<W>::bytes(of.shape_) +
                                        room * RowMerge<W>::row_bytes(of.shape_.words)),
          unpacker(of.shape_),
          ahead(of.store_.buffers(), sources.runs.size()),
          merge(sources, unpacker, ahead, words, nullptr, nullptr),
          rows(room * words) {}

    static MergeSources<W> sources_of(ExternalSort<W>& sort) {
      MergeSources<W> all;
      sort.settle();
      sort.add_to(all);
      return all;
    }
    bool has_row() {
      if (at < count) return true;
      at = 0;
      count = merge.next(sorter, rows.data(), room);
      return count != 0;
    }
    State row() const { return {rows.data() + at * words, words}; }

    RowSorter& sorter;
    const std::size_t words;
    const MergeSources<W> sources;
    const std::size_t room;
    const Claim claim;
    BlockUnpacker<W> unpacker;
    ReadAhead ahead;
    RowMerge<W> merge;
    std::vector<Word> rows;
    std::size_t at = 0, count = 0;
  };

  const BlockShape shape_;
  ChunkStore store_;
  ExternalSort<W> sort_;
  std::optional<Reading> reading_;
};

}  // namespace

std::unique_ptr<KeyedRows> make_keyed_rows(Budget& budget, Disk& disk, std::size_t words,
                                           std::size_t room) {
  return with_width(words + 1, [&](auto width) -> std::unique_ptr<KeyedRows> {
    return std::make_unique<SortedKeyedRows<width()>>(budget, disk, words, room);
  });
}

std::uint64_t keyed_row_bytes(std::size_t words) {
  return (words + 1) * sizeof(Word) + RowSorter::bytes_per_row(words + 1);
}

}  // namespace spillway
