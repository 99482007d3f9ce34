// The packed blocks of every level, for traces: runs are merged, and then nobody knows the level of a state any more.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "storage/chunk_store.h"

namespace spillway {

class LevelArchive final : public BlockKeeper {
 public:
  // What is kept from now on belongs to the next level.
  void begin_level() { levels_.emplace_back(); }
  // Any thread.
  void keep(Bytes block) override {
    const std::lock_guard lock(mutex_);
    levels_.back().emplace_back(block.begin(), block.end());
  }
  std::size_t blocks(std::size_t level) const { return levels_[level].size(); }
  Bytes block(std::size_t level, std::size_t number) const { return levels_[level][number]; }

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::vector<std::uint8_t>>> levels_;
};

}  // namespace spillway
