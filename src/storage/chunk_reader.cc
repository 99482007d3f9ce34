#include "storage/chunk_reader.h"

#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::size_t kLeftToOthers = 16;  // chunks: who must read or write one, must not be refused its buffer

}  // namespace

bool ChunkSlot::ask(const Chunk& wanted, ChunkBuffers& buffers) {
  forget();
  if (!buffer) buffer = buffers.get();
  if (!buffer) return false;
  request = wanted.place().ask(buffer.all());
  chunk = &wanted;
  return true;
}

void ChunkSlot::forget() {
  request = Request();  // waits for it
  chunk = nullptr;
}

void ReadAhead::expect(const Chunk& chunk) {
  if (full()) return;
  ChunkSlot* slot = nullptr;
  for (ChunkSlot& other : slots_) {
    if (other.chunk == &chunk) return;
    if (other.chunk == nullptr && (slot == nullptr || !slot->buffer)) slot = &other;
  }
  if (!slot->buffer && buffers_.left() < kLeftToOthers * buffers_.bytes()) return;
  if (slot->ask(chunk, buffers_)) --free_;
}

bool ReadAhead::take(const Chunk& chunk, ChunkSlot& slot) {
  for (ChunkSlot& mine : slots_) {
    if (mine.chunk != &chunk) continue;
    std::swap(mine, slot);
    mine.forget();
    ++free_;
    return true;
  }
  return false;
}

void ReadAhead::forget(const Chunk* first, const Chunk* last) {
  if (free_ == slots_.size()) return;
  for (ChunkSlot& slot : slots_) {
    if (slot.chunk == nullptr || slot.chunk < first || slot.chunk >= last) continue;
    slot.forget();
    ++free_;
  }
}

void ChunkReader::expect(std::size_t number) {
  if (number >= chunks_->size()) return;
  const Chunk& chunk = (*chunks_)[number];
  if (!chunk.in_memory() && &chunk != now_.chunk) ahead_->expect(chunk);
}

Bytes ChunkReader::from_disk(const Chunk& chunk) {
  if (open_ == &chunk) return bytes_;
  open_ = nullptr;
  ahead_->forget(chunks_->data(), &chunk);
  if (!ahead_->take(chunk, now_) && !now_.ask(chunk, ahead_->buffers()))
    throw Error(Fault::memory, "there is no memory left to read sorted runs");
  now_.request.wait();
  const Block block = chunk.place().look(now_.buffer.all());
  bytes_ = {reinterpret_cast<const std::uint8_t*>(block.payload.data()), block.payload.size()};
  open_ = &chunk;
  return bytes_;
}

}  // namespace spillway
