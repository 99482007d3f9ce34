// The packed blocks of every level, for traces.  Runs are merged, which loses the level of a state.
//
// Blocks of small levels share a chunk.  Each block is preceded by its level.  The archive is not
// read before the end, so unless memory is plentiful it goes to disk and leaves memory to the runs,
// which are read for every level.
#pragma once

#include <mutex>
#include <vector>

#include "storage/levels/level_keeper.h"

namespace spillway {

class LevelArchive final : public LevelKeeper {
 public:
  explicit LevelArchive(ChunkStore& store)
      : store_(store),
        claim_(store.budget(), store.buffers().bytes()),
        writer_(store),
        first_chunk_(store.budget()),
        chunks_(store.budget()) {}

  void begin_level() override { first_chunk_.push_back(chunks_.size()); }
  // Any thread.
  void keep(Bytes block) override;

  void each(std::uint64_t level, const std::function<void(Bytes)>& visit) override;

 private:
  void close_chunk();

  ChunkStore& store_;
  const Claim claim_;  // for the open chunk
  ChunkWriter writer_;
  std::mutex mutex_;
  Paged<std::uint64_t, 64> first_chunk_;  // of each level, which may begin inside it
  Chunks chunks_;
  std::uint64_t in_memory_ = 0;     // bytes of chunks_
  std::vector<std::uint8_t> open_;  // the chunk being filled
};

}  // namespace spillway
