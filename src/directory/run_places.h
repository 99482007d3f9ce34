// Places: directories elsewhere, below those given by --disk, that hold files of a run directory.
//
// A place belongs to one run directory: it bears the identity of the run and the birthmark of the
// directory.  A copy of the run directory has the same identity and another birthmark, and may only
// read from the place.  Whoever uses a place holds a lock on its mark.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/identity.h"
#include "io/texts/file_system.h"

namespace spillway {

// The list of places in a run directory: two sectors that are written in turn, in place, because
// the disk may be full.
struct PlaceList {
  std::uint64_t number = 0;  // of changes
  std::vector<std::string> paths;
};
inline constexpr const char* kPlaceList = "places";
inline constexpr std::size_t kPlaceListSector = 4096;

// One sector.  Throws Error(usage) if the list does not fit.
std::string to_text(const PlaceList& list, const Identity& run);
// Parses one sector.  Throws Error(integrity), beginning with `name`, or Error(usage) for another
// version.
PlaceList parse_sector(std::string_view sector, const Identity& run, const std::string& name);
// Parses both sectors and returns the newer of those that are intact.
PlaceList parse_places(std::string_view text, const Identity& run, const std::string& name);

// The mark in a place.
struct PlaceMark {
  Identity run;
  std::string birthmark;  // of the run directory that it belongs to
  std::string folder;     // its path, made printable; for people only
};
inline constexpr const char* kPlaceMark = "PLACE";
std::string to_text(const PlaceMark& mark);
PlaceMark parse_place_mark(std::string_view text, const std::string& name);

// Creates a place in a directory, marked and durable; returns its path.
std::string make_place(FileSystem& files, const std::string& directory, const PlaceMark& mark);

// An existing place.
struct RunPlace {
  std::string path;
  bool own = false;   // of this very run directory, not of one it is a copy of
  std::string owner;  // path of the run directory that it belongs to
  std::unique_ptr<TextFile> lock = nullptr;  // while it is used
};
// Throws Error if it is lost, or not a place of this run.
RunPlace open_place(FileSystem& files, const std::string& path, const Identity& run,
                    const std::string& birthmark);
// Exclusive if it is the run directory's own, otherwise shared with other readers.  Throws
// Error(usage) if it is in use.
void lock_place(FileSystem& files, RunPlace& place);

}  // namespace spillway
