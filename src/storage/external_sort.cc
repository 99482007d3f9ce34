#include "storage/external_sort.h"

#include <algorithm>

namespace spillway {
namespace {

constexpr std::size_t kFanIn = 8;

BlockShape smaller(BlockShape shape) {
  shape.rows = std::max<std::size_t>(1, shape.rows / 8);
  return shape;
}

}  // namespace

template <std::size_t W>
ExternalSort<W>::ExternalSort(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t rows)
    : store_(store),
      shape_(smaller(shape)),
      width_(shape.words),
      room_(rows),
      pages_(Pages::need(budget, rows * shape.words * sizeof(Word))),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      sorter_(shape.words) {}

template <std::size_t W>
void ExternalSort<W>::make_room(std::size_t rows) {
  settle();
  if (count_ <= room_ / 4 * 3 && room_ - count_ >= rows) return;
  BlockPacker<W> packer(shape_);
  RunWriter<W> writer(store_, packer);
  writer.add(rows_, count_);
  runs_.push_back({writer.finish(), 0});
  count_ = 0;
  while (runs_.size() >= kFanIn && runs_[runs_.size() - kFanIn].merges == runs_.back().merges) merge_last(kFanIn);
}

// Makes one run of the last ones.
template <std::size_t W>
void ExternalSort<W>::merge_last(std::size_t count) {
  MergeSources<W> last;
  for (std::size_t i = runs_.size() - count; i < runs_.size(); ++i) last.runs.push_back(&runs_[i].run);
  BlockPacker<W> packer(shape_);
  RunWriter<W> writer(store_, packer);
  merge_all(last, shape_, store_.buffers(), sorter_,
            [&](const Word* rows, std::size_t some) { writer.add(rows, some); });
  const unsigned merges = runs_.back().merges + 1;
  for (std::size_t i = 0; i < count; ++i) runs_.pop_back();
  runs_.push_back({writer.finish(), merges});
}

template <std::size_t W>
void ExternalSort<W>::add_to(MergeSources<W>& sources) const {
  if (count_ != 0) sources.arrays.emplace_back(rows_, count_, width_.words());
  for (const Spilled& spilled : runs_) sources.runs.push_back(&spilled.run);
}

template <std::size_t W>
void ExternalSort<W>::clear() {
  count_ = 0;
  runs_.clear();
}

template class ExternalSort<0>;
template class ExternalSort<1>;
template class ExternalSort<2>;
template class ExternalSort<3>;
template class ExternalSort<4>;

}  // namespace spillway
