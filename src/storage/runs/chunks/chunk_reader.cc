#include "storage/runs/chunks/chunk_reader.h"

#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

// chunks: who must read or write one, must not be refused its buffer
constexpr std::size_t kLeftToOthers = 16;

}  // namespace

bool ChunkSlot::ask(const Chunks& of, std::size_t chunk, ChunkBuffers& buffers) {
  forget();
  if (!buffer) buffer = buffers.get();
  if (!buffer) return false;
  request = of[chunk].place().ask(buffer.all());
  chunks = &of;
  number = chunk;
  return true;
}

void ChunkSlot::forget() {
  request = Request();  // waits for it
  chunks = nullptr;
}

void ReadAhead::expect(const Chunks& of, std::size_t chunk) {
  if (full()) return;
  ChunkSlot* slot = nullptr;
  for (ChunkSlot& other : slots_) {
    if (other.has(of, chunk)) return;
    if (other.chunks == nullptr && (slot == nullptr || !slot->buffer)) slot = &other;
  }
  if (!slot->buffer && buffers_.left() < kLeftToOthers * buffers_.bytes()) return;
  if (slot->ask(of, chunk, buffers_)) --free_;
}

bool ReadAhead::take(const Chunks& of, std::size_t chunk, ChunkSlot& slot) {
  for (ChunkSlot& mine : slots_) {
    if (!mine.has(of, chunk)) continue;
    std::swap(mine, slot);
    mine.forget();
    ++free_;
    return true;
  }
  return false;
}

void ReadAhead::forget(const Chunks& of, std::size_t end) {
  if (free_ == slots_.size()) return;
  for (ChunkSlot& slot : slots_) {
    if (slot.chunks != &of || slot.number >= end) continue;
    slot.forget();
    ++free_;
  }
}

void ChunkReader::expect(std::size_t chunk) {
  if (chunk >= chunks_->size()) return;
  if (!(*chunks_)[chunk].in_memory() && !now_.has(*chunks_, chunk)) ahead_->expect(*chunks_, chunk);
}

Bytes ChunkReader::from_disk(std::size_t chunk) {
  if (open_ && now_.has(*chunks_, chunk)) return bytes_;
  open_ = false;
  ahead_->forget(*chunks_, chunk);
  if (!ahead_->take(*chunks_, chunk, now_) && !now_.ask(*chunks_, chunk, ahead_->buffers()))
    throw Error(Fault::memory, "there is no memory left to read sorted runs");
  now_.request.wait();
  const Block block = (*chunks_)[chunk].place().look(now_.buffer.all());
  bytes_ = {reinterpret_cast<const std::uint8_t*>(block.payload.data()), block.payload.size()};
  open_ = true;
  return bytes_;
}

}  // namespace spillway
