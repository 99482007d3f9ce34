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
  return std::make_shared<BlockFile>(disk_, fmt::format("runs-{:08x}-{}", format.run_id, format.file_id), format);
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

}  // namespace spillway
