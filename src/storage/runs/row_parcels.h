// Rows on their way to another rank: some of them, sorted and packed as on disk, without the
// compression that costs more than a network.
//
// A parcel is one packed block after the other (run_block.h), in a message whose first bytes are
// free for what the network puts before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/state.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

// Packs and unpacks.  One per thread.
template <std::size_t W>
class RowParcels {
 public:
  explicit RowParcels(std::size_t words)
      : shape_(shape_of(words)),
        width_(words),
        sorter_(words),
        packer_(shape_),
        unpacker_(shape_),
        arrived_(shape_.rows * words) {}
  // Memory that it takes, without the parcels themselves.
  static std::uint64_t bytes(std::size_t words) {
    const BlockShape shape = shape_of(words);
    return BlockPacker<W>::bytes(shape) + BlockUnpacker<W>::bytes(shape) +
           shape.rows * words * sizeof(Word);
  }

  // The rows, each once, behind `free` bytes.  Changes their order.  `message`: memory for it, if
  // there is some.
  std::vector<std::byte> pack(Word* rows, std::size_t count, std::size_t free,
                              std::vector<std::byte> message = {}) {
    count = sorter_.sort_unique(rows, count);
    message.resize(free);
    for (std::size_t i = 0; i < count; i += shape_.rows) {
      const Bytes block = packer_.pack(rows + i * width_.words(), std::min(shape_.rows, count - i));
      const auto bytes = std::as_bytes(std::span(block.data(), block.size()));
      message.insert(message.end(), bytes.begin(), bytes.end());
    }
    return message;
  }

  // Calls visit(rows) for the rows of a parcel, some at a time.  Throws Error(integrity) if it is
  // none.
  template <class Visit>
  void unpack(std::span<const std::byte> parcel, Visit visit) {
    Bytes left(reinterpret_cast<const std::uint8_t*>(parcel.data()), parcel.size());
    while (!left.empty()) {
      const std::size_t length = stored_bytes(left);
      unpacker_.open(left.first(length));
      left = left.subspan(length);
      unpacker_.unpack(arrived_.data());
      visit(States(arrived_.data(), unpacker_.rows(), width_.words()));
    }
  }

 private:
  // The same on all ranks, however much memory each of them has.
  static BlockShape shape_of(std::size_t words) {
    constexpr std::size_t kMostRows = 512;
    BlockShape shape = BlockShape::of(words);
    shape.rows = std::min(shape.rows, kMostRows);
    shape.compressed = false;
    return shape;
  }

  const BlockShape shape_;
  const Width<W> width_;
  RowSorter sorter_;
  BlockPacker<W> packer_;
  BlockUnpacker<W> unpacker_;
  std::vector<Word> arrived_;
};

}  // namespace spillway
