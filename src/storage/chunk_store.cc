#include "storage/chunk_store.h"

#include <fmt/format.h>

#include <random>

#include "base/error.h"

namespace spillway {

ChunkStore::ChunkStore(Budget& budget, Disk& disk, std::size_t chunk_bytes, std::size_t most_bytes,
                       std::uint64_t reserve_bytes)
    : budget_(budget),
      disk_(disk),
      chunk_bytes_(chunk_bytes),
      reserve_bytes_(reserve_bytes),
      memory_(budget, std::max(chunk_bytes, most_bytes)) {
  format_.run_id = std::random_device()();
  format_.block_bytes = round_up_to_sector(std::max(chunk_bytes, most_bytes) + kBlockHeaderBytes);
}

std::shared_ptr<BlockFile> ChunkStore::new_file() {
  BlockFormat format = format_;
  format.file_id = ++files_;
  return std::make_shared<BlockFile>(disk_, fmt::format("runs-{}", format.file_id), format);
}

Chunk ChunkWriter::put(Bytes bytes) {
  if (ChunkMemory::Piece memory = store_.memory_for(bytes.size())) return {std::move(memory), bytes};
  if (!writer_) {
    file_ = store_.new_file();
    writer_.emplace(*file_, store_.budget(), Behind{2, 1});
  }
  writer_->end_block();
  writer_->append(std::as_bytes(bytes));
  return {file_, writer_->block(), bytes.size()};
}

void ChunkWriter::finish() {
  if (writer_) writer_->finish();
  writer_.reset();
  file_.reset();
}

// False: there is no memory.
bool ChunkReader::ask(Slot& slot, std::size_t number) {
  const Chunk& chunk = (*chunks_)[number];
  slot.request = Request();
  slot.chunk = kNone;
  if (slot.buffer.size() == 0) {
    std::optional<Buffer> buffer = Buffer::get(*budget_, chunk.file().format().block_bytes);
    if (!buffer) return false;
    slot.buffer = std::move(*buffer);
  }
  slot.request = chunk.file().ask(chunk.block(), slot.buffer.all());
  slot.chunk = number;
  return true;
}

void ChunkReader::expect(std::size_t number) {
  if (number >= chunks_->size() || number == now_.chunk || number == ahead_.chunk) return;
  if (!(*chunks_)[number].in_memory()) ask(now_.chunk == kNone ? now_ : ahead_, number);
}

Bytes ChunkReader::from_disk(std::size_t number) {
  if (open_ == number) return bytes_;
  open_ = kNone;
  if (ahead_.chunk == number) std::swap(now_, ahead_);
  if (now_.chunk != number && !ask(now_, number))
    throw Error(Fault::memory, "there is no memory left to read sorted runs");
  now_.request.wait();
  const Chunk& chunk = (*chunks_)[number];
  const Block block = chunk.file().look(chunk.block(), now_.buffer.all());
  bytes_ = {reinterpret_cast<const std::uint8_t*>(block.payload.data()), block.payload.size()};
  open_ = number;
  return bytes_;
}

}  // namespace spillway
