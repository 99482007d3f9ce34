#include "check/durable/manifest_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "check/durable/file_names.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;  // a million levels have a third of it

bool is_manifest(RunFile::Kind kind) {
  return kind == RunFile::Kind::manifest || kind == RunFile::Kind::unfinished_manifest;
}

}  // namespace

std::string ManifestFiles::name_of(std::uint64_t generation) {
  return spillway::name_of({RunFile::Kind::manifest, generation});
}

std::vector<std::uint64_t> ManifestFiles::generations() const {
  std::vector<std::uint64_t> all;
  for (const std::string& name : disk_.list())
    if (const auto file = run_file(name);
        file && !file->product && file->kind == RunFile::Kind::manifest)
      all.push_back(file->number);
  std::sort(all.rbegin(), all.rend());
  return all;
}

std::uint64_t ManifestFiles::next_generation() const {
  std::uint64_t next = 1;
  for (const std::string& name : disk_.list())
    if (const auto file = run_file(name); file && !file->product && is_manifest(file->kind))
      next = std::max(next, file->number + 1);
  return next;
}

Manifest ManifestFiles::read(std::uint64_t generation) const {
  const std::string name = name_of(generation);
  Manifest manifest = parse_manifest(read_text(name), name);
  if (manifest.generation != generation)
    throw Error(Fault::integrity,
                name + ": corrupt manifest: its generation does not match its name");
  check_mark(manifest.run, run_, name);
  return manifest;
}

std::optional<Manifest> ManifestFiles::newest(std::vector<std::string>& faults,
                                              std::uint64_t at_most) const {
  for (const std::uint64_t generation : generations()) {
    if (generation > at_most) continue;
    try {
      return read(generation);
    } catch (const Error& error) {
      if (error.fault() == Fault::usage) throw;
      faults.emplace_back(error.what());
    }
  }
  return std::nullopt;
}

std::optional<std::string> ManifestFiles::missing(std::uint64_t newest) const {
  const std::vector<std::uint64_t> all = generations();
  if (newest <= (all.empty() ? 0 : all.front())) return std::nullopt;
  return name_of(newest) + ": the file is missing";
}

void ManifestFiles::write(const Manifest& manifest) {
  const std::string name = name_of(manifest.generation);
  const std::string unfinished =
      spillway::name_of({RunFile::Kind::unfinished_manifest, manifest.generation});
  const std::string text = to_text(manifest);
  write_text(unfinished, text);
  disk_.rename(unfinished, name);
  disk_.sync_directory();
  if (read_text(name) != text)
    throw Error(Fault::integrity, name + ": the manifest was written, but cannot be read back");
}

void ManifestFiles::write_text(const std::string& name, const std::string& text) {
  Budget room(text.size());
  const Buffer buffer = Buffer::need(room, text.size(), "a manifest");
  std::memcpy(buffer.data(), text.data(), text.size());
  const std::unique_ptr<File> file = disk_.create(name);
  file->write(0, buffer.all()).wait();
  file->sync();
}

std::string ManifestFiles::read_text(const std::string& name) const {
  const std::unique_ptr<File> file = disk_.open(name);
  const std::uint64_t bytes = file->size();
  if (bytes == 0 || bytes % kSector != 0 || bytes > kMostBytes)
    throw Error(Fault::integrity, name + ": corrupt manifest: impossible size");
  Budget room(bytes);
  const Buffer buffer = Buffer::need(room, bytes, "a manifest");
  file->read(0, buffer.all()).wait();
  return {reinterpret_cast<const char*>(buffer.data()), bytes};
}

}  // namespace spillway
