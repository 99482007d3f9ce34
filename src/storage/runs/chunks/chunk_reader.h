// Reads chunks of sorted runs, ahead of the consumer if they are on disk.
#pragma once

#include <cstdint>
#include <vector>

#include "io/data/transfer.h"
#include "storage/runs/chunks/chunk.h"
#include "storage/runs/chunks/chunk_buffers.h"

namespace spillway {

// A chunk on disk that is being read or has been read.
struct ChunkSlot {
  ChunkBuffers::Lent buffer;  // before `request`, which may be filling it
  Request request;
  const Chunks* chunks = nullptr;  // nullptr: the slot is free
  std::size_t number = 0;          // index in `chunks`

  bool has(const Chunks& of, std::size_t chunk) const { return chunks == &of && number == chunk; }
  // Starts to read a chunk.  False if there is no memory for it.
  bool ask(const Chunks& of, std::size_t chunk, ChunkBuffers& buffers);
  void forget();  // keeps the buffer
};

// Read-ahead shared by all readers of a thread: the one at work needs many chunks soon, the others
// none.
class ReadAhead {
 public:
  // `chunks`: the most that are read ahead at a time.  One thread.
  ReadAhead(ChunkBuffers& buffers, std::size_t chunks)
      : buffers_(buffers), slots_(chunks), free_(chunks) {}

  ChunkBuffers& buffers() { return buffers_; }
  std::size_t chunks() const { return slots_.size(); }
  bool full() const { return free_ == 0; }

 private:
  friend class ChunkReader;

  void expect(const Chunks& of, std::size_t chunk);
  // Moves the chunk to `slot` if it was read ahead; otherwise returns false.
  bool take(const Chunks& of, std::size_t chunk, ChunkSlot& slot);
  // Drops what was read ahead of the chunks before `end`.
  void forget(const Chunks& of, std::size_t end);

  ChunkBuffers& buffers_;
  std::vector<ChunkSlot> slots_;
  std::size_t free_;
};

// Reads chunks in increasing order.  The same chunk may be read repeatedly.
class ChunkReader {
 public:
  // REQUIRES: both outlive it.
  ChunkReader(const Chunks& chunks, ReadAhead& ahead) : chunks_(&chunks), ahead_(&ahead) {}
  ChunkReader(ChunkReader&& other) noexcept = default;
  ~ChunkReader() { ahead_->forget(*chunks_, chunks_->size()); }

  // Valid until the next call.  Throws Error(memory) if there is no buffer, or an error of the
  // disk.
  Bytes get(std::size_t chunk) {
    const Chunk& wanted = (*chunks_)[chunk];
    return wanted.in_memory() ? wanted.bytes() : from_disk(chunk);
  }
  // Starts to read `chunk`, if it exists and read-ahead has room.
  void expect(std::size_t chunk);
  const ReadAhead& ahead() const { return *ahead_; }

 private:
  Bytes from_disk(std::size_t chunk);

  const Chunks* chunks_;
  ReadAhead* ahead_;
  ChunkSlot now_;
  bool open_ = false;  // the chunk in now_ has arrived
  Bytes bytes_;        // of it
};

}  // namespace spillway
