// Packs rows of a level that come in order, for whoever keeps levels.
#pragma once

#include <memory>

#include "storage/chunk_store.h"
#include "storage/run_block.h"

namespace spillway {

// One thread.
class LevelPacker {
 public:
  // The keeper must outlive it.
  static std::unique_ptr<LevelPacker> make(const BlockShape& shape, BlockKeeper& keeper);
  virtual ~LevelPacker() = default;

  // REQUIRES: rows strictly increasing, above all that were added since finish().
  virtual void add(States rows) = 0;
  // All that was added is kept.
  virtual void finish() = 0;
};

}  // namespace spillway
