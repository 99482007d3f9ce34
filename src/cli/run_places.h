// Places: folders elsewhere, below directories that --disk names, in which a run has files.
//
// A place belongs to one folder of a run: it bears the identity of the run and the birthmark of the folder.  A copy of
// the folder has the same identity and another birthmark: it may read what is in the place, and nothing else.  Whoever
// uses a place holds a lock on its mark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/identity.h"
#include "cli/folder.h"

namespace spillway {

// The list of places in the folder of a run: two sectors that are written in turn, in place, because the disk may be
// full.
struct PlaceList {
  std::uint64_t number = 0;  // of changes
  std::vector<std::string> paths;
};
inline constexpr const char* kPlaceList = "places";
inline constexpr std::size_t kPlaceListSector = 4096;

// One sector.  Throws Error(usage) when they do not go into it.
std::string to_text(const PlaceList& list, const Identity& run);
// Of one sector.  Throws Error(integrity), which begins with `name`, or Error(usage) for another version.
PlaceList parse_sector(std::string_view sector, const Identity& run, const std::string& name);
// Of both: the newer one that is whole.
PlaceList parse_places(std::string_view text, const Identity& run, const std::string& name);

// What a place says of itself.
struct PlaceMark {
  Identity run;
  std::string birthmark;  // of the folder that it belongs to
  std::string folder;     // where that was, printable: for people only
};
inline constexpr const char* kPlaceMark = "PLACE";
std::string to_text(const PlaceMark& mark);
PlaceMark parse_place_mark(std::string_view text, const std::string& name);

// A new place below a directory, marked and synced; its path.
std::string make_place(const std::string& directory, const PlaceMark& mark);

// A place that there is.
struct Place {
  std::string path;
  bool own = false;     // of this very folder, not of one that it is a copy of
  std::string owner;    // where the folder is or was that it belongs to
  Descriptor lock{-1};  // while it is used
};
// Throws Error when it is lost, or no place of this run.
Place open_place(const std::string& path, const Identity& run, const std::string& birthmark);
// Alone if it is the folder's own, otherwise with other readers.  Throws Error(usage) when it is in use.
void lock_place(Place& place);

}  // namespace spillway
