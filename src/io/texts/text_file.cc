#include "io/texts/text_file.h"

#include <cerrno>

#include "io/io_error.h"

namespace spillway {
namespace {

// Repeats a transfer while signals interrupt it.  Returns the bytes moved.
template <class Attempt>
std::size_t moved_bytes(const std::string& path, std::string_view verb, Attempt attempt) {
  std::int64_t moved = 0;
  const int number = uninterrupted([&] {
    moved = attempt();
    return moved < 0 ? static_cast<int>(-moved) : 0;
  });
  if (number != 0) throw text_error(path, verb, number);
  return static_cast<std::size_t>(moved);
}

}  // namespace

std::string TextFile::read(std::uint64_t most_bytes) {
  const std::uint64_t bytes = status().bytes;
  if (bytes > most_bytes) throw not_of_a_run(path_, "it is too large");
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const std::span<char> rest = std::span(text).subspan(done);
    const std::size_t some = moved_bytes(path_, "read", [&] { return try_read(done, rest); });
    if (some == 0) break;
    done += some;
  }
  text.resize(done);
  return text;
}

void TextFile::write(std::uint64_t offset, std::string_view text) {
  while (!text.empty()) {
    const std::size_t some = moved_bytes(path_, "write", [&] { return try_write(offset, text); });
    text.remove_prefix(some);
    offset += some;
  }
  if (const int number = uninterrupted([&] { return try_sync(); }))
    throw text_error(path_, "sync", number);
}

void TextFile::clear() {
  if (const int number = uninterrupted([&] { return try_clear(); }))
    throw text_error(path_, "write", number);
}

// Some file systems, such as those of a network, have no locks.
bool TextFile::lock(Sharing sharing) {
  const int number = uninterrupted([&] { return try_lock(sharing); });
  if (number != 0 && number != EWOULDBLOCK) throw text_error(path_, "lock", number);
  return number == 0;
}

TextFile::Status TextFile::status() {
  Status status;
  if (const int number = try_status(status)) throw text_error(path_, "get its status", number);
  return status;
}

}  // namespace spillway
