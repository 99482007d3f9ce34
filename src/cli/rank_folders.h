// The parts of a run of several ranks, in its directory.
//
//   DIR/rank-0, DIR/rank-1, ...       a run directory for each rank; a machine may have only its
//   own DIR/of-3-1/rank-0, ...            the same, once the run was resumed on another number of
//   ranks DIR/parts                         which of these folders counts; without it, DIR itself
#pragma once

#include <cstdint>
#include <string>

#include "io/file_system.h"

namespace spillway {

class RankFolders {
 public:
  // REQUIRES: `files` outlives it.  Throws Error(integrity) if DIR/parts names no such folder.
  RankFolders(FileSystem& files, const std::string& directory);

  std::string part(unsigned rank) const;
  // One more than the largest rank whose part is here; 0 if there is none.
  unsigned ranks() const;

  // Shares the run out anew among so many ranks (check/redistribute.h), and removes what was there
  // before.  A loss of power leaves one of the two.  REQUIRES: all parts are here.  Throws Error.
  void share_out(unsigned ranks, std::uint64_t memory_bytes);

 private:
  std::string folder() const;
  void remove_others() const;

  FileSystem& files_;
  const std::string directory_;
  std::string current_;  // the name of the folder that counts; empty: the directory itself
};

}  // namespace spillway
