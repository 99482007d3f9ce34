#include "check/durable/newest_checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/text/signed_text.h"
#include "check/durable/manifest.h"
#include "io/data/buffer.h"

namespace spillway {
namespace {

constexpr std::string_view kTitle = "spillway checkpoints";
constexpr std::uint64_t kVersion = 2;
constexpr std::string_view kChecksum = "end";
constexpr std::uint64_t kSectors = 2;
constexpr std::string_view kRest = "; a newer checkpoint may have been lost";

std::string sector_text(const Identity& run, std::uint64_t generation) {
  std::string text = with_checksum(
      fmt::format("{}run {}\nnewest {}\n", title_line(kTitle, kVersion), run.hex(), generation),
      kChecksum);
  text.resize(kSector, '\n');
  return text;
}

std::string name() { return NewestCheckpoint::kName; }

[[noreturn]] void not_as_written() {
  throw Error(Fault::integrity, name() + ": the file is corrupt");
}

bool has(Disk& disk, const std::string& wanted) {
  const std::vector<std::string> names = disk.list();
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

void write(File& file, std::uint64_t sector, const std::string& text) {
  Budget room(text.size());
  const Buffer buffer = Buffer::need(room, text.size(), "a sector");
  std::memcpy(buffer.data(), text.data(), text.size());
  file.write(sector * kSector, buffer.all()).wait();
  file.sync();
}

}  // namespace

std::string NewestCheckpoint::first_text(const Identity& run) {
  return sector_text(run, 0) + sector_text(run, 0);
}

std::uint64_t NewestCheckpoint::parse(std::string_view sector, const Identity& run) {
  const std::string_view body = without_checksum(sector, kChecksum, name());
  check_title(body, kTitle, kVersion, name());
  const std::size_t digits = body.rfind(' ') + 1;  // there is one in the title
  std::uint64_t generation = 0;
  std::from_chars(body.data() + digits, body.data() + body.size(), generation);
  if (generation <= kMostGenerations && sector_text(run, generation) == sector) return generation;
  if (body.find(run.hex()) == std::string_view::npos)
    throw Error(Fault::integrity, name() + ": the file belongs to another run");
  not_as_written();
}

NewestCheckpoint::NewestCheckpoint(Disk& disk, const Identity& run, bool required)
    : disk_(disk), run_(run) {
  if (!has(disk, name())) {
    if (required) fault_ = fmt::format("{}: the file is missing{}", name(), kRest);
    return;
  }
  try {
    read();
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) throw;
    fault_ = fmt::format("{}{}", error.what(), kRest);
  }
}

void NewestCheckpoint::read() {
  const std::unique_ptr<File> file = disk_.open(name());
  if (file->size() != kSectors * kSector) not_as_written();
  Budget room(kSector);
  const Buffer sector = Buffer::need(room, kSector, "a sector");
  std::optional<Error> damaged;
  for (std::uint64_t i = 0; i < kSectors; ++i) {
    file->read(i * kSector, sector.all()).wait();
    try {
      const std::uint64_t found =
          parse({reinterpret_cast<const char*>(sector.data()), kSector}, run_);
      if (!usable_ || found >= generation_) next_sector_ = (i + 1) % kSectors;
      generation_ = std::max(generation_, found);
      usable_ = true;
    } catch (const Error& error) {
      damaged = error;
    }
  }
  if (!usable_) throw *damaged;
}

// Under its name it is there wholly, or not at all.
void NewestCheckpoint::make(std::uint64_t generation) {
  const std::string unfinished = name() + ".tmp";
  if (has(disk_, unfinished)) disk_.remove(unfinished);
  {
    const std::unique_ptr<File> file = disk_.create(unfinished);
    write(*file, 0, sector_text(run_, generation) + sector_text(run_, generation));
  }
  if (has(disk_, name())) disk_.remove(name());  // it was of no use
  disk_.rename(unfinished, name());
  disk_.sync_directory();
  usable_ = true;
}

void NewestCheckpoint::record(std::uint64_t generation) {
  if (usable_) {
    write(*disk_.open(name()), next_sector_, sector_text(run_, generation));
    next_sector_ = (next_sector_ + 1) % kSectors;
  } else {
    make(generation);
  }
  generation_ = generation;
  fault_.clear();
}

}  // namespace spillway
