#include "io/data/disk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "io/io_error.h"

namespace spillway {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// No name leads out of the directory or hides in it.
void check_name(const std::string& name) {
  const auto allowed = [](char c) { return is_plain(c) || c == '.' || c == '-' || c == '_'; };
  if (!name.empty() && name.size() <= 200 && is_plain(name[0]) &&
      std::all_of(name.begin(), name.end(), allowed))
    return;
  throw Error(Fault::integrity,
              fmt::format("\"{}\" is not the name of a file of Spillway", printable(name)));
}

}  // namespace

std::unique_ptr<File> Disk::create(const std::string& name) {
  check_name(name);
  std::unique_ptr<File> file;
  if (const int number = uninterrupted([&] { return try_create(name, file); }))
    throw operation_error(full_name(name), "create", number);
  IoCounters::add(counters_.created, 1);
  return file;
}

std::unique_ptr<File> Disk::open(const std::string& name) {
  check_name(name);
  std::unique_ptr<File> file;
  if (const int number = uninterrupted([&] { return try_open(name, file); }))
    throw operation_error(full_name(name), "open", number);
  return file;
}

void Disk::remove(const std::string& name) {
  check_name(name);
  if (const int number = uninterrupted([&] { return try_remove(name); }))
    throw operation_error(full_name(name), "remove", number);
  IoCounters::add(counters_.removed, 1);
}

void Disk::rename(const std::string& from, const std::string& to) {
  check_name(from);
  check_name(to);
  if (const int number = uninterrupted([&] { return try_rename(from, to); }))
    throw operation_error(full_name(from), "rename to " + to, number);
}

void Disk::sync_directory() {
  IoCounters::add(counters_.syncs, 1);
  if (const int number = uninterrupted([&] { return try_sync_directory(); }))
    throw operation_error(full_name(""), "sync the directory", number);
}

}  // namespace spillway
