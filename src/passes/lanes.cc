#include "passes/lanes.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "storage/table/table_entry.h"

namespace spillway {

std::uint64_t Lanes::bytes(std::uint64_t nodes, unsigned width) {
  return (nodes + kChunkNodes - 1) / kChunkNodes * kChunkNodes * width / 8;
}

Lanes::Lanes(Budget& budget, std::uint64_t nodes, unsigned width)
    : width_(width),
      all_(width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1),
      pages_(table_pages(budget, bytes(nodes, width), "bits of a search for shortest runs")) {}

void Lanes::add_shared(Node node, std::uint64_t bits) {
  std::atomic_ref(words()[node * width_ / 64])
      .fetch_or(bits << node * width_ % 64, std::memory_order_relaxed);
}

Node Lanes::next(Node from, Node end) const {
  for (std::uint64_t bit = from * width_; bit < end * width_; bit = bit / 64 * 64 + 64)
    if (const std::uint64_t word = words()[bit / 64] >> bit % 64; word != 0)
      return std::min(end, (bit + static_cast<unsigned>(std::countr_zero(word))) / width_);
  return end;
}

void Lanes::clear_chunk(std::uint64_t chunk) {
  std::fill_n(words() + chunk * chunk_words(), chunk_words(), 0);
}

void Lanes::add_chunk(const Lanes& other, std::uint64_t chunk) {
  const std::uint64_t* const from = other.words() + chunk * chunk_words();
  std::uint64_t* const to = words() + chunk * chunk_words();
  for (std::uint64_t i = 0; i < chunk_words(); ++i) to[i] |= from[i];
}

}  // namespace spillway
