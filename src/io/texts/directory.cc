#include "io/texts/directory.h"

#include <algorithm>
#include <cerrno>

#include "io/io_error.h"

namespace spillway {

std::string Directory::birthmark() {
  std::string mark;
  if (const int number = uninterrupted([&] { return try_birthmark(mark); }))
    throw text_error(path_, "get its status", number);
  return mark;
}

std::vector<std::string> Directory::names() {
  std::vector<std::string> all;
  if (const int number = uninterrupted([&] { return try_list(all); }))
    throw text_error(path_, "list", number);
  std::sort(all.begin(), all.end());
  return all;
}

std::uint64_t Directory::bytes() {
  std::uint64_t all = 0;
  for (const std::string& name : names()) {
    Entry entry;
    if (try_look(name, entry) == 0 && entry.regular) all += entry.bytes;
  }
  return all;
}

std::unique_ptr<TextFile> Directory::open_file(const std::string& name, How how) {
  std::unique_ptr<TextFile> file;
  const int number = uninterrupted([&] { return try_open(name, how, file); });
  if (number == ELOOP) throw not_of_a_run(inside(name), "it is a symbolic link");
  if (number == ENOENT && how != How::make) return nullptr;
  if (number != 0) throw text_error(inside(name), "open", number);
  const TextFile::Status status = file->status();
  if (!status.regular) throw not_of_a_run(inside(name), "it is not a regular file");
  if (!status.ours) throw not_of_a_run(inside(name), "it belongs to another user");
  return file;
}

std::optional<std::string> Directory::read(const std::string& name, std::uint64_t most_bytes) {
  const std::unique_ptr<TextFile> file = open_file(name, How::read);
  if (file == nullptr) return std::nullopt;
  return file->read(most_bytes);
}

void Directory::write(const std::string& name, std::string_view text) {
  const std::string unfinished = name + ".tmp";
  try_remove(unfinished);  // of an earlier attempt
  open_file(unfinished, How::make)->write(0, text);
  if (const int number = uninterrupted([&] { return try_rename(unfinished, name); }))
    throw text_error(inside(name), "rename", number);
  sync();
}

std::unique_ptr<TextFile> Directory::open_to_change(const std::string& name) {
  std::unique_ptr<TextFile> file = open_file(name, How::change);
  if (file != nullptr && file->status().links > 1)
    throw not_of_a_run(inside(name), "it has more than one hard link; copy a run with 'cp -r'");
  return file;
}

std::unique_ptr<TextFile> Directory::open_or_make(const std::string& name) {
  std::unique_ptr<TextFile> made;
  const int number = uninterrupted([&] { return try_open(name, How::make, made); });
  if (number != 0 && number != EEXIST) throw text_error(inside(name), "create", number);
  return open_to_change(name);
}

void Directory::rename(const std::string& from, const std::string& to) {
  const int number = uninterrupted([&] { return try_rename(from, to); });
  if (number != 0 && number != ENOENT) throw text_error(inside(from), "rename", number);
}

bool Directory::remove(const std::string& name) {
  Entry entry;
  if (const int number = try_look(name, entry)) return number == ENOENT;
  if (!entry.regular) return false;
  return uninterrupted([&] { return try_remove(name); }) == 0;
}

void Directory::sync() {
  if (const int number = uninterrupted([&] { return try_sync(); }))
    throw text_error(path_, "sync", number);
}

}  // namespace spillway
