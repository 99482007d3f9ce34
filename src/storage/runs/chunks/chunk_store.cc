#include "storage/runs/chunks/chunk_store.h"

#include <algorithm>
#include <random>
#include <utility>

namespace spillway {
namespace {

constexpr std::uint64_t kPlacesAhead = 16;  // so that chunks of a run lie side by side

BlockFormat block_format(std::size_t payload_bytes) {
  BlockFormat format;
  format.run_id = std::random_device()();
  format.block_bytes = round_up_to_sector(payload_bytes + kBlockHeaderBytes);
  return format;
}

}  // namespace

ChunkStore::ChunkStore(Budget& budget, Disk& disk, std::size_t chunk_bytes, std::size_t most_bytes,
                       std::uint64_t reserve_bytes)
    : budget_(budget),
      chunk_bytes_(chunk_bytes),
      reserve_bytes_(reserve_bytes),
      memory_(budget, std::max(chunk_bytes, most_bytes + kBesides)),
      places_(disk, block_format(std::max(chunk_bytes, most_bytes + kBesides))),
      buffers_(budget, places_.block_bytes()) {}

ChunkWriter::~ChunkWriter() { store_.places().give_back(ahead_); }

std::uint64_t ChunkWriter::next_place() {
  if (ahead_.count == 0) ahead_ = store_.places().take(kPlacesAhead);
  --ahead_.count;
  return ahead_.first++;
}

Chunk ChunkWriter::put(Bytes bytes, bool to_disk) {
  if (!to_disk)
    if (ChunkMemory::Piece memory = store_.memory_for(bytes.size()))
      return {std::move(memory), bytes};
  Slot& slot = slots_[std::exchange(slot_, 1 - slot_)];
  slot.request.wait();
  if (!slot.buffer) slot.buffer = store_.buffers().need("writing sorted runs");
  const ChunkPlaces::Written to{next_place(), store_.places().new_id()};
  OwnPlace place(store_.places(), to);
  std::ranges::copy(std::as_bytes(bytes), slot.buffer.all().data() + kBlockHeaderBytes);
  slot.request = store_.places().write(to, slot.buffer.all(), bytes.size());
  return {std::move(place), bytes.size()};
}

void ChunkWriter::finish() {
  for (Slot& slot : slots_) slot.request.wait();
  for (Slot& slot : slots_) slot = Slot();
  store_.places().give_back(std::exchange(ahead_, {}));
}

}  // namespace spillway
