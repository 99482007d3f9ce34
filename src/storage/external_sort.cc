#include "storage/external_sort.h"

namespace spillway {

template <std::size_t W>
ExternalSort<W>::ExternalSort(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t rows)
    : store_(store),
      shape_(shape),
      width_(shape.words),
      room_(rows),
      pages_(Pages::need(budget, rows * shape.words * sizeof(Word))),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      sorter_(shape.words) {}

template <std::size_t W>
void ExternalSort<W>::make_room() {
  settle();
  if (count_ <= room_ / 4 * 3 && count_ < room_) return;
  BlockPacker<W> packer(shape_);
  RunWriter<W> writer(store_, packer);
  writer.add(rows_, count_);
  runs_.push_back(writer.finish());
  count_ = 0;
}

template <std::size_t W>
void ExternalSort<W>::add_to(MergeSources<W>& sources) const {
  if (count_ != 0) sources.arrays.emplace_back(rows_, count_, width_.words());
  for (const SortedRun<W>& run : runs_) sources.runs.push_back(&run);
}

template <std::size_t W>
void ExternalSort<W>::clear() {
  count_ = 0;
  runs_.clear();
}

template class ExternalSort<0>;
template class ExternalSort<1>;
template class ExternalSort<2>;

}  // namespace spillway
