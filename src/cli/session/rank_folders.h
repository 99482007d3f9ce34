// The parts of a run of several ranks, in its directory.
//
//   DIR/rank-0, DIR/rank-1, ...  a run directory for each rank; a machine may have only its own
//   DIR/of-3-1/rank-0, ...       the same, once the run was resumed on another number of ranks
//   DIR/of-3-1/shared-out        the mark of such a folder, with the identity of the run
//   DIR/parts                    which of these folders counts; without it, DIR itself
//
// DIR may come from somebody else, as a run directory may: links are refused, and what is removed
// is what bears the identity of this run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/ranks/cluster.h"
#include "directory/chosen_run_directory.h"
#include "directory/run_directory.h"
#include "io/texts/file_system.h"

namespace spillway {

class RankFolders {
 public:
  using Say = std::function<void(const std::string&)>;  // shows a sentence to the user

  // REQUIRES: `files` outlives it.  Throws Error(integrity) if DIR/parts names no such folder or a
  // part is a link, Error(usage) if DIR belongs to somebody else or can be written by others.
  RankFolders(FileSystem& files, const std::string& directory);

  // By all ranks, before any of them makes its part: creates the directory of a new run of several,
  // if one is asked for, and then asks for the part of this rank.  Throws Error(usage) on all of
  // them unless it is new or empty for each.
  static void begin(FileSystem& files, RunDirectoryRequest& request, Cluster& cluster);

  std::string part(unsigned rank) const;
  // The directory of the run that a process alone, or one of several ranks, has this part of.
  static std::string run_of(const std::string& part, const Cluster& cluster);
  // One more than the largest rank whose part is here; 0 if there is none.
  unsigned ranks() const { return ranks_; }

  // Shares the run out anew among so many ranks (check/durable/redistribute.h), and removes what
  // was there before.  A loss of power leaves one of the two.  If it fails, nothing has changed.
  // REQUIRES: all parts are here.  Throws Error.
  void share_out(unsigned ranks, std::uint64_t memory_bytes, const Say& say);

  // All parts, opened.  Throws Error unless they are those of one run.
  std::vector<RunDirectory> open_all() const;
  // Removes the parts, what share_out() has left, and the directory.  What does not belong to the
  // run is kept: `say` is told.  Returns the bytes of the parts.
  std::uint64_t remove(const Say& say);

 private:
  static void begin(FileSystem& files, const std::string& directory, Cluster& cluster);
  std::string folder() const;
  std::string inside(const std::string& name) const { return directory_ + "/" + name; }
  void look();
  std::string make_folder(unsigned ranks, const Identity& run) const;
  RunDirectory make_part(const std::string& folder, const RunPart& part,
                         const RunDirectory& like) const;
  void take_back(const std::string& name, const Identity& run) const;
  std::string named_by_parts() const;
  // The run that has made this folder for its parts; nothing: nobody knows.
  std::optional<Identity> maker_of(const std::string& folder) const;
  void remove_folder(const std::string& name, const Identity& run, const Say& say) const;
  void remove_others(const Identity& run, const Say& say) const;

  FileSystem& files_;
  const std::string directory_;
  std::string current_;  // the name of the folder that counts; empty: the directory itself
  unsigned ranks_ = 0;
};

// Whether these are the parts of one run, in the order of their ranks.  What each part says about
// itself: part_claim().  Throws Error(integrity), naming the first that does not fit, or
// Error(usage) if there are others elsewhere.
std::string part_claim(const RunDirectory& part);
void need_one_run(const std::string& directory, const std::vector<std::string>& claims);

}  // namespace spillway
