// An in-memory counterpart of SystemDisk, for tests.  Transfers complete synchronously.
//
// It can simulate a loss of power.  Every write that was not synced is then present, missing or
// torn, as on a real disk.  Of the directory changes since the last sync, a prefix survives, as on
// a journaling file system.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "io/data/disk.h"

namespace spillway {

class MemoryDisk final : public Disk {
 public:
  // Unsynced changes are recorded only with may_go.
  enum class Power { stays, may_go };
  explicit MemoryDisk(Power power = Power::stays) : power_(power), history_{{}} {}

  // REQUIRES: Power::may_go; files that are open are not used afterwards.
  void lose_power(std::mt19937_64& random);

  std::vector<std::string> list() override;
  std::string describe() const override { return "memory"; }

  // The bytes of a file, for tests that inspect or corrupt them.  Valid until the next write.
  // REQUIRES: the file exists, no transfer is under way.
  std::vector<std::byte>& bytes(const std::string& name);

  struct Change {
    std::uint64_t offset;  // of a write; new size if `truncates`
    std::vector<std::byte> bytes;
    bool truncates;
    void apply(std::vector<std::byte>& to) const;
  };
  struct Content {
    explicit Content(Power as) : power(as) {}
    void change(Change made);
    void lose_power(std::mt19937_64& random);

    const Power power;
    std::mutex mutex;
    std::vector<std::byte> bytes;
    std::vector<std::byte> synced;
    std::vector<Change> unsynced;
    // Locks of small files (tests/support/memory_file_system.h).
    bool locked = false;
    std::size_t shared_locks = 0;
  };

 protected:
  int try_create(const std::string& name, std::unique_ptr<File>& file) override;
  int try_open(const std::string& name, std::unique_ptr<File>& file) override;
  int try_remove(const std::string& name) override;
  int try_rename(const std::string& from, const std::string& to) override;
  int try_sync_directory() override;

 private:
  friend class MemoryDirectory;  // small files of the same directory

  using Names = std::map<std::string, std::shared_ptr<Content>>;
  void remember();
  // These return an error number, or 0.
  int make(const std::string& name, std::shared_ptr<Content>& content);
  int find(const std::string& name, std::shared_ptr<Content>& content);
  int replace(const std::string& from, const std::string& to);

  const Power power_;
  std::mutex mutex_;
  Names contents_;
  std::vector<Names> history_;  // as last synced, and after each change since
};

}  // namespace spillway
