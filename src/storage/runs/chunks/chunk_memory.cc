#include "storage/runs/chunks/chunk_memory.h"

#include <sys/mman.h>

namespace spillway {
namespace {

constexpr std::size_t kPiecesOfASlab = 64;

}  // namespace

ChunkMemory::ChunkMemory(Budget& budget, std::size_t piece_bytes)
    : budget_(budget), piece_bytes_(taken(piece_bytes)) {}

ChunkMemory::~ChunkMemory() {
  for (std::uint8_t* slab : slabs_) munmap(slab, kPiecesOfASlab * piece_bytes_);
}

bool ChunkMemory::map_more() {
  void* p = mmap(nullptr, kPiecesOfASlab * piece_bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  // they would bring back neighbours that are free
  madvise(p, kPiecesOfASlab * piece_bytes_, MADV_NOHUGEPAGE);
  auto* const slab = static_cast<std::uint8_t*>(p);
  slabs_.push_back(slab);
  for (std::size_t i = kPiecesOfASlab; i-- > 0;) free_.push_back(slab + i * piece_bytes_);
  return true;
}

ChunkMemory::Piece ChunkMemory::get(std::size_t bytes) {
  if (!budget_.draw(taken(bytes))) return {};
  const std::lock_guard lock(mutex_);
  if (free_.empty() && !map_more()) {
    budget_.give_back(taken(bytes));
    return {};
  }
  Piece piece(free_.back(), {this, bytes});
  free_.pop_back();
  return piece;
}

void ChunkMemory::give_back(std::uint8_t* piece, std::size_t bytes) {
  madvise(piece, taken(bytes), MADV_DONTNEED);
  budget_.give_back(taken(bytes));
  const std::lock_guard lock(mutex_);
  free_.push_back(piece);
}

}  // namespace spillway
