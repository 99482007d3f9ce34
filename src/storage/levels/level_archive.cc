#include "storage/levels/level_archive.h"

#include <algorithm>

#include "storage/runs/chunks/chunk_reader.h"

namespace spillway {
namespace {

constexpr std::uint64_t kSmallShare = 32;  // of the budget

}  // namespace

void LevelArchive::keep(Bytes block) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t level = first_chunk_.size() - 1;
  if (!open_.empty() && open_.size() + sizeof level + block.size() > store_.chunk_bytes())
    close_chunk();
  open_.reserve(std::max(store_.chunk_bytes(), sizeof level + block.size()));
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&level);
  open_.insert(open_.end(), bytes, bytes + sizeof level);
  open_.insert(open_.end(), block.begin(), block.end());
}

void LevelArchive::close_chunk() {
  const Budget& budget = store_.budget();
  const bool plenty =
      budget.left() >= budget.limit() / 4 * 3 || in_memory_ < budget.limit() / kSmallShare;
  chunks_.push_back(writer_.put(open_, !plenty));
  if (chunks_.back().in_memory()) in_memory_ += open_.size();
  open_.clear();
}

void LevelArchive::each(std::uint64_t level, const std::function<void(Bytes)>& visit) {
  if (!open_.empty()) close_chunk();
  writer_.finish();
  ReadAhead ahead(store_.buffers(), 2);
  ChunkReader reader(chunks_, ahead);
  for (std::uint64_t i = first_chunk_[level]; i < chunks_.size(); ++i) {
    const Bytes records = reader.get(i);
    reader.expect(i + 1);
    if (!visit_level(records, level, visit)) return;
  }
}

}  // namespace spillway
