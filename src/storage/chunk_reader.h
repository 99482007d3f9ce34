// Reading chunks of sorted runs, from disk ahead of whoever looks at them.
#pragma once

#include <cstdint>
#include <vector>

#include "io/transfer.h"
#include "storage/chunk.h"
#include "storage/chunk_buffers.h"

namespace spillway {

// A chunk on disk that is being read, or has been.
struct ChunkSlot {
  ChunkBuffers::Lent buffer;  // before the request, which may be writing to it
  Request request;
  const Chunks* chunks = nullptr;  // nothing: the slot is free
  std::size_t number = 0;          // among them

  bool has(const Chunks& of, std::size_t chunk) const { return chunks == &of && number == chunk; }
  // False: there is no memory.
  bool ask(const Chunks& of, std::size_t chunk, ChunkBuffers& buffers);
  void forget();  // keeps the buffer
};

// What all readers of a thread read ahead, together: whoever is at work needs many chunks soon, the others none.
class ReadAhead {
 public:
  // `chunks`: that are read ahead at once.  One thread.
  ReadAhead(ChunkBuffers& buffers, std::size_t chunks) : buffers_(buffers), slots_(chunks), free_(chunks) {}

  ChunkBuffers& buffers() { return buffers_; }
  std::size_t chunks() const { return slots_.size(); }
  bool full() const { return free_ == 0; }

 private:
  friend class ChunkReader;

  void expect(const Chunks& of, std::size_t chunk);
  // Puts what was read ahead of this chunk into `slot`; false: nothing was.
  bool take(const Chunks& of, std::size_t chunk, ChunkSlot& slot);
  // Nobody wants those before this one any more.
  void forget(const Chunks& of, std::size_t end);

  ChunkBuffers& buffers_;
  std::vector<ChunkSlot> slots_;
  std::size_t free_;
};

// Reads chunks in increasing order, each as often as it is wanted.
class ChunkReader {
 public:
  // Both must outlive it.
  ChunkReader(const Chunks& chunks, ReadAhead& ahead) : chunks_(&chunks), ahead_(&ahead) {}
  ChunkReader(ChunkReader&& other) noexcept = default;
  ~ChunkReader() { ahead_->forget(*chunks_, chunks_->size()); }

  // Valid until the next call.
  Bytes get(std::size_t chunk) {
    const Chunk& wanted = (*chunks_)[chunk];
    return wanted.in_memory() ? wanted.bytes() : from_disk(chunk);
  }
  // This chunk, if there is one, will be wanted soon: reading begins now, if it can.
  void expect(std::size_t chunk);
  const ReadAhead& ahead() const { return *ahead_; }

 private:
  Bytes from_disk(std::size_t chunk);

  const Chunks* chunks_;
  ReadAhead* ahead_;
  ChunkSlot now_;
  bool open_ = false;  // the chunk in now_ has come
  Bytes bytes_;        // of it
};

}  // namespace spillway
