#include "io/memory_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace spillway {
namespace {

class MemoryFile final : public File {
 public:
  MemoryFile(std::string name, IoCounters& counters, std::shared_ptr<MemoryDisk::Content> content)
      : File(std::move(name), counters), content_(std::move(content)) {}

 protected:
  std::optional<std::int64_t> attempt(Transfer& transfer) override {
    const std::lock_guard lock(content_->mutex);
    std::vector<std::byte>& bytes = content_->bytes;
    const auto position = static_cast<std::size_t>(transfer.position());
    if (transfer.direction() == Direction::write) {
      if (bytes.size() < position + transfer.size()) bytes.resize(position + transfer.size());
      std::memcpy(bytes.data() + position, transfer.data(), transfer.size());
      return static_cast<std::int64_t>(transfer.size());
    }
    if (position >= bytes.size()) return 0;
    const std::size_t moved = std::min(transfer.size(), bytes.size() - position);
    std::memcpy(transfer.data(), bytes.data() + position, moved);
    return static_cast<std::int64_t>(moved);
  }
  void await(Transfer& transfer) override { SPILLWAY_CHECK(transfer.finished()); }
  int try_sync() override { return 0; }
  int try_size(std::uint64_t& bytes) override {
    const std::lock_guard lock(content_->mutex);
    bytes = content_->bytes.size();
    return 0;
  }
  int try_truncate(std::uint64_t bytes) override {
    const std::lock_guard lock(content_->mutex);
    content_->bytes.resize(bytes);
    return 0;
  }

 private:
  std::shared_ptr<MemoryDisk::Content> content_;
};

}  // namespace

int MemoryDisk::try_create(const std::string& name, std::unique_ptr<File>& file) {
  const std::lock_guard lock(mutex_);
  const auto [place, fresh] = contents_.try_emplace(name, nullptr);
  if (!fresh) return EEXIST;
  place->second = std::make_shared<Content>();
  file = std::make_unique<MemoryFile>(name, counters(), place->second);
  return 0;
}

int MemoryDisk::try_open(const std::string& name, std::unique_ptr<File>& file) {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.find(name);
  if (found == contents_.end()) return ENOENT;
  file = std::make_unique<MemoryFile>(name, counters(), found->second);
  return 0;
}

int MemoryDisk::try_remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return contents_.erase(name) != 0 ? 0 : ENOENT;
}

int MemoryDisk::try_rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (contents_.contains(to)) return EEXIST;
  auto node = contents_.extract(from);
  if (node.empty()) return ENOENT;
  node.key() = to;
  contents_.insert(std::move(node));
  return 0;
}

std::vector<std::string> MemoryDisk::list() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, content] : contents_) names.push_back(name);
  return names;
}

std::vector<std::byte>& MemoryDisk::bytes(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return contents_.at(name)->bytes;
}

}  // namespace spillway
