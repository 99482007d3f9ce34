// A small file of a run directory: a text, read and written through the page cache.
//
// Backends implement attempts, as for File: one system call, which may be interrupted or move only
// a part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace spillway {

class TextFile {
 public:
  explicit TextFile(std::string path) : path_(std::move(path)) {}
  virtual ~TextFile() = default;
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  // These throw Error(system), naming the file.

  // All of it.  Throws Error(integrity) if it is larger than `most_bytes`.
  std::string read(std::uint64_t most_bytes);
  // Writes all of `text` and syncs.
  void write(std::uint64_t offset, std::string_view text);
  // Makes it empty; durable with the next write().
  void clear();

  enum class Sharing { exclusive, shared };
  // Locks the file until this object is destroyed.  False if the lock of another process forbids
  // it.
  bool lock(Sharing sharing);

 protected:
  friend class Directory;

  struct Status {
    bool regular = true;  // a file, and not a pipe or a directory
    bool ours = true;     // belongs to this user
    std::uint64_t bytes = 0;
    std::uint64_t links = 1;  // names of it, anywhere
  };
  Status status();

  // These return an error number, or 0; the first two return the bytes moved, or a negative error
  // number.
  virtual std::int64_t try_read(std::uint64_t offset, std::span<char> text) = 0;
  virtual std::int64_t try_write(std::uint64_t offset, std::string_view text) = 0;
  virtual int try_sync() = 0;
  virtual int try_clear() = 0;
  virtual int try_status(Status& status) = 0;
  virtual int try_lock(Sharing sharing) = 0;

 private:
  const std::string path_;
};

}  // namespace spillway
