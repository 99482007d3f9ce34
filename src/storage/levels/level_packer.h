// Packs sorted rows of a level for a keeper of levels.
#pragma once

#include <memory>

#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

// One thread.
class LevelPacker {
 public:
  // REQUIRES: the keeper outlives it.
  static std::unique_ptr<LevelPacker> make(const BlockShape& shape, BlockKeeper& keeper);
  virtual ~LevelPacker() = default;

  // REQUIRES: rows strictly increasing, above all that were added since finish().
  virtual void add(States rows) = 0;
  // Passes all that was added to the keeper.
  virtual void finish() = 0;
};

}  // namespace spillway
