#include "storage/runs/external_sort.h"

#include <algorithm>

namespace spillway {

// Rows in a block share what they have alike, so there must be some.
template <std::size_t W>
BlockShape ExternalSort<W>::run_shape(BlockShape shape) {
  shape.rows = std::max(shape.rows / 8, std::min<std::size_t>(shape.rows, 16));
  return shape;
}

template <std::size_t W>
ExternalSort<W>::ExternalSort(Budget& budget, ChunkStore& store, const BlockShape& shape,
                              std::size_t rows, std::size_t fan_in, RowSorter* sorter)
    : store_(store),
      shape_(run_shape(shape)),
      width_(shape.words),
      room_(rows),
      fan_in_(fan_in),
      pages_(Pages::need(budget, rows * shape.words * sizeof(Word))),
      own_sorter_(sorter == nullptr ? std::optional<RowSorter>(shape.words) : std::nullopt),
      shared_sorter_(sorter),
      claim_(budget, own_sorter_ ? rows * RowSorter::bytes_per_row(shape.words) : 0),
      rows_(reinterpret_cast<Word*>(pages_.data())) {}

template <std::size_t W>
std::uint64_t ExternalSort<W>::bytes_to_spill(std::size_t chunk_bytes, std::size_t buffer_bytes,
                                              const BlockShape& shape, std::size_t fan_in) {
  const BlockShape small = run_shape(shape);
  return BlockPacker<W>::bytes(small) + RunWriter<W>::bytes(chunk_bytes, small) + 2 * buffer_bytes +
         BlockUnpacker<W>::bytes(small) + RowMerge<W>::bytes(buffer_bytes, small, fan_in);
}

template <std::size_t W>
void ExternalSort<W>::make_room(std::size_t rows) {
  settle();
  if (count_ <= room_ / 4 * 3 && room_ - count_ >= rows) return;
  {
    const Claim claim(store_.budget(), BlockPacker<W>::bytes(shape_));
    BlockPacker<W> packer(shape_);
    RunWriter<W> writer(store_, packer);
    writer.add(rows_, count_);
    runs_.push_back({writer.finish(), 0});
  }
  runs_.back().run.be_whole();
  count_ = 0;
  while (runs_.size() >= fan_in_ && runs_[runs_.size() - fan_in_].merges == runs_.back().merges)
    merge_last(fan_in_);
}

// Makes one run of the last ones.
template <std::size_t W>
void ExternalSort<W>::merge_last(std::size_t count) {
  MergeSources<W> last;
  for (std::size_t i = runs_.size() - count; i < runs_.size(); ++i)
    last.runs.push_back(&runs_[i].run);
  const Claim claim(store_.budget(), BlockPacker<W>::bytes(shape_));
  BlockPacker<W> packer(shape_);
  RunWriter<W> writer(store_, packer);
  merge_all(last, shape_, store_.buffers(), sorter(), [&](const Word* rows, std::size_t some) {
    poll_();
    writer.add(rows, some);
  });
  const unsigned merges = runs_.back().merges + 1;
  for (std::size_t i = 0; i < count; ++i) runs_.pop_back();
  runs_.push_back({writer.finish(), merges});
  runs_.back().run.be_whole();
}

template <std::size_t W>
void ExternalSort<W>::add_memory_to(std::vector<States>& arrays) const {
  if (count_ != 0) arrays.emplace_back(rows_, count_, width_.words());
}

template <std::size_t W>
void ExternalSort<W>::add_to(MergeSources<W>& sources) const {
  add_memory_to(sources.arrays);
  for (const Spilled& spilled : runs_) sources.runs.push_back(&spilled.run);
}

template <std::size_t W>
void ExternalSort<W>::give_to(RowSources<W>& sources) {
  add_memory_to(sources.arrays);
  for (Spilled& spilled : runs_) sources.runs.push_back(std::move(spilled.run));
  runs_.clear();
}

template <std::size_t W>
void ExternalSort<W>::clear() {
  count_ = 0;
  runs_.clear();
}

#define SPILLWAY_WIDTH(W) template class ExternalSort<W>;
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
