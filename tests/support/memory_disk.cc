#include "support/memory_disk.h"

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
      content_->change({position, {transfer.data(), transfer.data() + transfer.size()}, false});
      return static_cast<std::int64_t>(transfer.size());
    }
    if (position >= bytes.size()) return 0;
    const std::size_t moved = std::min(transfer.size(), bytes.size() - position);
    std::memcpy(transfer.data(), bytes.data() + position, moved);
    return static_cast<std::int64_t>(moved);
  }
  void await(Transfer& transfer) override { SPILLWAY_CHECK(transfer.finished()); }
  int try_sync() override {
    const std::lock_guard lock(content_->mutex);
    if (content_->power == MemoryDisk::Power::may_go) content_->synced = content_->bytes;
    content_->unsynced.clear();
    return 0;
  }
  int try_size(std::uint64_t& bytes) override {
    const std::lock_guard lock(content_->mutex);
    bytes = content_->bytes.size();
    return 0;
  }
  int try_truncate(std::uint64_t bytes) override {
    const std::lock_guard lock(content_->mutex);
    content_->change({bytes, {}, true});
    return 0;
  }

 private:
  std::shared_ptr<MemoryDisk::Content> content_;
};

}  // namespace

void MemoryDisk::Change::apply(std::vector<std::byte>& to) const {
  if (truncates) {
    to.resize(offset);
    return;
  }
  if (to.size() < offset + bytes.size()) to.resize(offset + bytes.size());
  std::memcpy(to.data() + offset, bytes.data(), bytes.size());
}

void MemoryDisk::Content::change(Change made) {
  made.apply(bytes);
  if (power == Power::may_go) unsynced.push_back(std::move(made));
}

void MemoryDisk::Content::lose_power(std::mt19937_64& random) {
  constexpr std::size_t kAtom = 512;  // what a disk writes as a whole
  bytes = synced;
  for (Change& made : unsynced) {
    const std::uint64_t fate = random() % 3;
    if (fate == 0) continue;
    if (fate == 1 && !made.truncates) {
      const std::size_t atoms = std::max<std::size_t>(1, (made.bytes.size() + kAtom - 1) / kAtom);
      made.bytes.resize(random() % atoms * kAtom);
    }
    made.apply(bytes);
  }
  synced = bytes;
  unsynced.clear();
}

void MemoryDisk::lose_power(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  SPILLWAY_CHECK(power_ == Power::may_go);
  contents_ = history_[random() % history_.size()];
  history_ = {contents_};
  for (const auto& [name, content] : contents_) content->lose_power(random);
}

void MemoryDisk::remember() {
  if (power_ == Power::may_go) history_.push_back(contents_);
}

int MemoryDisk::try_sync_directory() {
  const std::lock_guard lock(mutex_);
  history_ = {contents_};
  return 0;
}

int MemoryDisk::make(const std::string& name, std::shared_ptr<Content>& content) {
  const std::lock_guard lock(mutex_);
  const auto [place, fresh] = contents_.try_emplace(name, nullptr);
  if (!fresh) return EEXIST;
  place->second = std::make_shared<Content>(power_);
  remember();
  content = place->second;
  return 0;
}

int MemoryDisk::find(const std::string& name, std::shared_ptr<Content>& content) {
  const std::lock_guard lock(mutex_);
  const auto found = contents_.find(name);
  if (found == contents_.end()) return ENOENT;
  content = found->second;
  return 0;
}

int MemoryDisk::replace(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  auto node = contents_.extract(from);
  if (node.empty()) return ENOENT;
  contents_.insert_or_assign(to, std::move(node.mapped()));
  remember();
  return 0;
}

int MemoryDisk::try_create(const std::string& name, std::unique_ptr<File>& file) {
  std::shared_ptr<Content> content;
  if (const int number = make(name, content)) return number;
  file = std::make_unique<MemoryFile>(name, counters(), std::move(content));
  return 0;
}

int MemoryDisk::try_open(const std::string& name, std::unique_ptr<File>& file) {
  std::shared_ptr<Content> content;
  if (const int number = find(name, content)) return number;
  file = std::make_unique<MemoryFile>(name, counters(), std::move(content));
  return 0;
}

int MemoryDisk::try_remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (contents_.erase(name) == 0) return ENOENT;
  remember();
  return 0;
}

int MemoryDisk::try_rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (contents_.contains(to)) return EEXIST;
  auto node = contents_.extract(from);
  if (node.empty()) return ENOENT;
  node.key() = to;
  contents_.insert(std::move(node));
  remember();
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
