#include "support/memory_file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace spillway {
namespace {

class MemoryTextFile final : public TextFile {
 public:
  using Content = MemoryDisk::Content;

  MemoryTextFile(std::string path, std::shared_ptr<Content> content, Faults& faults)
      : TextFile(std::move(path)), content_(std::move(content)), faults_(faults) {}
  ~MemoryTextFile() override {
    const std::lock_guard lock(content_->mutex);
    if (exclusive_) content_->locked = false;
    if (shared_) --content_->shared_locks;
  }

 protected:
  std::int64_t try_read(std::uint64_t offset, std::span<char> text) override;
  std::int64_t try_write(std::uint64_t offset, std::string_view text) override;
  int try_sync() override {
    if (const int number = faults_.refusal(false)) return number;
    const std::lock_guard lock(content_->mutex);
    content_->synced = content_->bytes;
    content_->unsynced.clear();
    return 0;
  }
  int try_clear() override {
    if (const int number = faults_.refusal(false)) return number;
    const std::lock_guard lock(content_->mutex);
    content_->change({0, {}, true});
    return 0;
  }
  int try_status(Status& status) override {
    const std::lock_guard lock(content_->mutex);
    status.bytes = content_->bytes.size();
    return 0;
  }
  int try_lock(Sharing sharing) override;

 private:
  void put(std::uint64_t offset, std::string_view text);
  std::int64_t spoiled_write(std::uint64_t offset, std::string_view text);

  const std::shared_ptr<Content> content_;
  Faults& faults_;
  bool exclusive_ = false;
  bool shared_ = false;
};

void flip(std::span<char> text, std::uint64_t choice) {
  const std::uint64_t bit = choice % (text.size() * 8);
  char& c = text[bit / 8];
  c = static_cast<char>(c ^ (1 << bit % 8));
}

std::int64_t MemoryTextFile::try_read(std::uint64_t offset, std::span<char> text) {
  const FaultPlan& plan = faults_.plan();
  const bool strikes = faults_.strikes();
  if (strikes && plan.trouble == Trouble::io_error) return -EIO;
  if (strikes && plan.trouble == Trouble::interrupted) return -EINTR;
  if (strikes && plan.trouble == Trouble::short_transfer)
    text = text.first(1 + plan.choice % text.size());
  const std::lock_guard lock(content_->mutex);
  const std::vector<std::byte>& bytes = content_->bytes;
  if (offset >= bytes.size()) return 0;
  text = text.first(std::min<std::size_t>(text.size(), bytes.size() - offset));
  std::memcpy(text.data(), bytes.data() + offset, text.size());
  if (strikes && plan.trouble == Trouble::flipped_bit) flip(text, plan.choice);
  return static_cast<std::int64_t>(text.size());
}

void MemoryTextFile::put(std::uint64_t offset, std::string_view text) {
  const auto* const data = reinterpret_cast<const std::byte*>(text.data());
  const std::lock_guard lock(content_->mutex);
  content_->change({offset, {data, data + text.size()}, false});
}

std::int64_t MemoryTextFile::spoiled_write(std::uint64_t offset, std::string_view text) {
  const auto all = static_cast<std::int64_t>(text.size());
  const auto part = [&](std::size_t size) {
    put(offset, text.substr(0, size));
    return static_cast<std::int64_t>(size);
  };
  switch (faults_.plan().trouble) {
    case Trouble::io_error: return -EIO;
    case Trouble::interrupted: return -EINTR;
    case Trouble::no_space:
      faults_.fill_up();
      return text.size() == 1 ? -ENOSPC : part(text.size() / 2);
    case Trouble::short_transfer: return part(1 + faults_.plan().choice % text.size());
    case Trouble::flipped_bit: {
      std::string wrong(text);
      flip(wrong, faults_.plan().choice);
      put(offset, wrong);
      return all;
    }
    case Trouble::torn_write: part(text.size() / 2); return all;
    case Trouble::misplaced_write: put(offset + text.size(), text); return all;
    case Trouble::dropped_write:
    case Trouble::death: break;
  }
  return all;
}

std::int64_t MemoryTextFile::try_write(std::uint64_t offset, std::string_view text) {
  if (faults_.full()) return -ENOSPC;
  if (faults_.strikes()) return spoiled_write(offset, text);
  put(offset, text);
  return static_cast<std::int64_t>(text.size());
}

int MemoryTextFile::try_lock(Sharing sharing) {
  if (const int number = faults_.refusal(false)) return number;
  const std::lock_guard lock(content_->mutex);
  if (content_->locked) return EWOULDBLOCK;
  if (sharing == Sharing::exclusive && content_->shared_locks != 0) return EWOULDBLOCK;
  exclusive_ = content_->locked = sharing == Sharing::exclusive;
  shared_ = !exclusive_;
  if (shared_) ++content_->shared_locks;
  return 0;
}

}  // namespace

class MemoryDirectory final : public Directory {
 public:
  using Node = MemoryFileSystem::Node;

  MemoryDirectory(const std::string& path, std::shared_ptr<Node> node, MemoryFileSystem& files)
      : Directory(path), node_(std::move(node)), files_(files), faults_(files.faults_) {}

 protected:
  int try_open(const std::string& name, How how, std::unique_ptr<TextFile>& file) override {
    if (const int number = faults_.refusal(how == How::make)) return number;
    std::shared_ptr<MemoryDisk::Content> content;
    const int number = how == How::make ? disk().make(name, content) : disk().find(name, content);
    if (number != 0) return number;
    file = std::make_unique<MemoryTextFile>(inside(name), std::move(content), faults_);
    return 0;
  }
  int try_rename(const std::string& from, const std::string& to) override {
    const int number = faults_.refusal(false);
    return number != 0 ? number : disk().replace(from, to);
  }
  int try_remove(const std::string& name) override {
    const int number = faults_.refusal(false);
    return number != 0 ? number : disk().try_remove(name);
  }
  int try_sync() override {
    if (const int number = faults_.refusal(false)) return number;
    files_.synced(path());
    return disk().try_sync_directory();
  }
  int try_list(std::vector<std::string>& names) override {
    if (const int number = faults_.refusal(false)) return number;
    names = disk().list();
    return 0;
  }
  int try_look(const std::string& name, Entry& entry) override {
    std::shared_ptr<MemoryDisk::Content> content;
    if (const int number = disk().find(name, content)) return number;
    const std::lock_guard lock(content->mutex);
    entry = {true, content->bytes.size()};
    return 0;
  }
  int try_birthmark(std::string& mark) override {
    mark = fmt::format("{}-memory", node_->birth);
    return 0;
  }

 private:
  MemoryDisk& disk() { return node_->disk; }

  const std::shared_ptr<Node> node_;
  MemoryFileSystem& files_;
  Faults& faults_;
};

MemoryFileSystem::MemoryFileSystem(Faults& faults) : faults_(faults) {
  nodes_.emplace("/", std::make_shared<Node>(0));
}

std::string MemoryFileSystem::above(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::unique_ptr<Directory> MemoryFileSystem::open(const std::string& path, Owner) {
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) throw Error(Fault::usage, path + ": no such directory");
  return std::make_unique<MemoryDirectory>(path, found->second, *this);
}

bool MemoryFileSystem::is_directory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return nodes_.contains(path);
}

int MemoryFileSystem::make(const std::string& path) {
  if (const int number = faults_.refusal(true)) return number;
  const std::lock_guard lock(mutex_);
  if (nodes_.contains(path)) return EEXIST;
  if (!nodes_.contains(above(path))) return ENOENT;
  const auto node = std::make_shared<Node>(next_birth_++);
  nodes_.emplace(path, node);
  unsynced_[above(path)].push_back({path, node, true});
  return 0;
}

int MemoryFileSystem::remove(const std::string& path) {
  if (const int number = faults_.refusal(false)) return number;
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return ENOENT;
  if (!found->second->disk.list().empty()) return ENOTEMPTY;
  unsynced_[above(path)].push_back({path, found->second, false});
  nodes_.erase(found);
  return 0;
}

void MemoryFileSystem::synced(const std::string& path) {
  const std::lock_guard lock(mutex_);
  unsynced_.erase(path);
}

void MemoryFileSystem::lose_power(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  for (auto& [parent, changes] : unsynced_) {
    const std::size_t left = random() % (changes.size() + 1);
    for (; changes.size() > left; changes.pop_back()) {
      const Change& undone = changes.back();
      if (undone.made)
        nodes_.erase(undone.path);
      else
        nodes_.emplace(undone.path, undone.node);
    }
  }
  unsynced_.clear();
  for (const auto& [path, node] : nodes_) node->disk.lose_power(random);
}

MemoryDisk& MemoryFileSystem::disk(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return nodes_.at(path)->disk;
}

}  // namespace spillway
