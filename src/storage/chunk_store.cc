#include "storage/chunk_store.h"

#include "base/error.h"

namespace spillway {

Chunk ChunkStore::put(Bytes bytes) {
  Chunk chunk;
  if (!Chunk::hold(budget_, bytes, chunk)) throw Error(Fault::system, "no memory for sorted runs");
  return chunk;
}

}  // namespace spillway
