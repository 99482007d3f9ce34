#include "storage/level_archive.h"

#include <cstring>

#include "storage/run_block.h"

namespace spillway {

void LevelArchive::keep(Bytes block) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t level = first_chunk_.size() - 1;
  if (!open_.empty() && open_.size() + sizeof level + block.size() > store_.chunk_bytes()) close_chunk();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&level);
  open_.insert(open_.end(), bytes, bytes + sizeof level);
  open_.insert(open_.end(), block.begin(), block.end());
}

void LevelArchive::close_chunk() {
  chunks_.push_back(writer_.put(open_));
  open_.clear();
}

void LevelArchive::each(std::uint64_t level, const std::function<void(Bytes)>& visit) {
  if (!open_.empty()) close_chunk();
  writer_.finish();
  ChunkReader reader(chunks_, store_.budget());
  for (std::uint64_t i = first_chunk_[level]; i < chunks_.size(); ++i) {
    Bytes rest = reader.get(i);
    for (reader.expect(i + 1); !rest.empty();) {
      std::uint64_t found = 0;
      std::memcpy(&found, rest.data(), sizeof found);
      rest = rest.subspan(sizeof found);
      const std::size_t bytes = stored_bytes(rest);
      if (found > level) return;
      if (found == level) visit(rest.first(bytes));
      rest = rest.subspan(bytes);
    }
  }
}

}  // namespace spillway
