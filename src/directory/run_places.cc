#include "directory/run_places.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/signed_text.h"
#include "directory/labelled_lines.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListTitle = "spillway places";
constexpr std::string_view kMarkTitle = "spillway place";
constexpr std::uint64_t kVersion = 2;
constexpr std::string_view kChecksum = "end";
constexpr std::string_view kPrefix = "spillway-";
constexpr std::size_t kDigits = 16;
constexpr std::uint64_t kMostMarkBytes = 64 << 10;

// Only paths that make_place() can have made.
bool is_place_path(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return path.starts_with('/') && printable(path) == path &&
         fs::path(path).lexically_normal() == path && name.size() == kPrefix.size() + kDigits &&
         name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string::npos;
}

std::string refusal(const std::string& name) { return name + ": the file is corrupt"; }

LabelledLines lines_after_title(std::string_view text, std::string_view title,
                                const std::string& name) {
  const std::string_view body = without_checksum(text, kChecksum, name);
  check_title(body, title, kVersion, name);
  return {body.substr(body.find('\n') + 1), refusal(name)};
}

}  // namespace

std::string to_text(const PlaceList& list, const Identity& run) {
  std::string text = fmt::format("{}run {}\nnumber {}\n", title_line(kListTitle, kVersion),
                                 run.hex(), list.number);
  for (const std::string& path : list.paths) text += fmt::format("place {}\n", path);
  text = with_checksum(std::move(text), kChecksum);
  if (text.size() > kPlaceListSector)
    throw Error(Fault::usage,
                "--disk: there are too many directories, or their paths are too long");
  text.resize(kPlaceListSector, '\n');
  return text;
}

PlaceList parse_sector(std::string_view sector, const Identity& run, const std::string& name) {
  LabelledLines lines = lines_after_title(sector, kListTitle, name);
  if (lines.next_identity("run") != run)
    throw Error(Fault::integrity, name + ": the file belongs to another run");
  PlaceList list;
  const std::string number = lines.next("number");
  std::from_chars(number.data(), number.data() + number.size(), list.number);
  while (!lines.done()) {
    list.paths.push_back(lines.next("place"));
    if (!is_place_path(list.paths.back())) lines.refuse();
  }
  if (to_text(list, run) != sector) lines.refuse();
  return list;
}

PlaceList parse_places(std::string_view text, const Identity& run, const std::string& name) {
  if (text.size() != 2 * kPlaceListSector) throw Error(Fault::integrity, refusal(name));
  std::optional<PlaceList> newest;
  std::optional<Error> damaged;
  for (const std::size_t offset : {std::size_t{0}, kPlaceListSector}) {
    try {
      PlaceList list = parse_sector(text.substr(offset, kPlaceListSector), run, name);
      if (!newest || list.number > newest->number) newest = std::move(list);
    } catch (const Error& error) {
      damaged = error;
    }
  }
  if (!newest) throw *damaged;
  return *newest;
}

std::string to_text(const PlaceMark& mark) {
  return with_checksum(
      fmt::format("{}run {}\nbirthmark {}\nfolder {}\n", title_line(kMarkTitle, kVersion),
                  mark.run.hex(), mark.birthmark, mark.folder),
      kChecksum);
}

PlaceMark parse_place_mark(std::string_view text, const std::string& name) {
  LabelledLines lines = lines_after_title(text, kMarkTitle, name);
  PlaceMark mark;
  mark.run = lines.next_identity("run");
  mark.birthmark = lines.next("birthmark");
  mark.folder = lines.next("folder");
  if (to_text(mark) != text) lines.refuse();
  return mark;
}

std::string make_place(FileSystem& files, const std::string& directory, const PlaceMark& mark) {
  std::string path;
  int number = EEXIST;
  while (number == EEXIST) {
    path = (fs::path(directory) / fmt::format("{}{:016x}", kPrefix, drawn_number()))
               .lexically_normal()
               .string();
    if (!is_place_path(path))
      throw Error(Fault::usage,
                  fmt::format("--disk: {}: the path has characters that a run cannot record",
                              printable(directory)));
    number = files.make(path);
  }
  if (number != 0)
    throw Error(Fault::system, fmt::format("{}: cannot create the directory: {}", printable(path),
                                           std::strerror(number)));
  files.open(path)->write(kPlaceMark, to_text(mark));
  files.sync_above(path);
  return path;
}

RunPlace open_place(FileSystem& files, const std::string& path, const Identity& run,
                    const std::string& birthmark) {
  if (!files.is_directory(path))
    throw Error(
        Fault::integrity,
        fmt::format("{}: the directory is missing, with files of the run in it; if it is on "
                    "a disk that is not attached, attach it",
                    printable(path)));
  const std::unique_ptr<Directory> directory = files.open(path);
  const std::string name = printable(directory->inside(kPlaceMark));
  const std::optional<std::string> text = directory->read(kPlaceMark, kMostMarkBytes);
  if (!text)
    throw Error(Fault::integrity,
                name + ": the file is missing, so this directory does not belong to the run");
  const PlaceMark mark = parse_place_mark(*text, name);
  if (mark.run != run) throw Error(Fault::integrity, name + ": the file belongs to another run");
  return {path, mark.birthmark == birthmark, mark.folder};
}

void lock_place(FileSystem& files, RunPlace& place) {
  using Sharing = TextFile::Sharing;
  place.lock = files.open(place.path)->open_to_change(kPlaceMark);
  if (place.lock != nullptr && place.lock->lock(place.own ? Sharing::exclusive : Sharing::shared))
    return;
  throw Error(
      Fault::usage,
      fmt::format("{}: in use by a process that is working on {}", printable(place.path),
                  place.own ? "a copy of this run" : "the run that this one was copied from"));
}

}  // namespace spillway
