// The folder of a run: what a person and a later process need to continue it.
//
//   LOCK        held by the process that works on it
//   README.txt  what all this is
//   config      the model and the options, written once (run_config.h)
//   model.*     a copy of the model, if it is a text
//   places      other folders in which files of the run lie (run_places.h)
//   checkpoints, manifest-*, levels-*  see run/journal.h
//   result.json what came out, when the last process that worked on it ended by itself
//   result-before.json  the same of a process before it
//
// The folder may come from somebody else.  Only what this version writes is read from it, nothing of it is executed,
// and nothing is written or removed that is not the run's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/folder.h"
#include "cli/run_config.h"
#include "cli/run_places.h"

namespace spillway {

class RunFolder {
 public:
  // Makes the folder, or takes an empty one, and writes the configuration; fills in `identity`, `copy`, `bytes` and
  // `sha256`.  Throws Error(usage) when there is something in it.
  static RunFolder create(const std::string& path, RunConfig config, const std::string& model);
  // The folder of a run that there is.  Throws Error(usage) when it is none, is of another version, or another process
  // works on it, and Error(integrity) when the configuration is lost or not what was written.
  static RunFolder open(const std::string& path);
  // The same without asking others to leave it alone: only for looking.
  static RunFolder look(const std::string& path);

  const std::string& path() const { return folder_.path(); }
  const RunConfig& config() const { return config_; }
  RunMark mark() const { return mark_of(config_); }
  // Where to read the model: the copy, or for native code the file that the user has named.  Throws Error(integrity)
  // when it is lost or not the one that the run began with, Error(usage) when native code was not named.
  std::string model_path(const std::string& named) const;
  // Throws as model_path() does, if there is a copy.
  void check_copy() const;

  // Who works on it, in words; nothing: nobody.
  std::optional<std::string> user() const;

  // All folders with files of the run that are its own; new files belong into the last.
  std::vector<std::string> own_places() const;
  // Places of the run that this one is a copy of: for reading.
  std::vector<std::string> places_of_original() const;
  // What is wrong with places; empty: nothing.
  const std::vector<std::string>& place_faults() const { return place_faults_; }
  // Throws Error(integrity) when something is.
  void need_places() const;
  // A folder inside `directory` from now on as well, unless there is one.
  void add_place(const std::string& directory);

  // The search goes on: what there is of a result is an earlier process's from now on.
  void take_up() const;
  // REQUIRES: what to_json() makes.
  void write_result(const std::string& json) const;
  // Of the last process; nothing: it was killed, or works still.  Throws Error(integrity) when it is not what this run
  // has written.
  std::optional<std::string> result() const;
  std::optional<std::string> earlier_result() const;  // of the last one before it that ended by itself

  // Bytes of all files.
  std::uint64_t bytes() const;
  // Removes all files of the run, and the folder; what was left of places is said.  Throws Error(usage) when there are
  // files that are not of the run; they are left.  REQUIRES: open(), not look().
  std::vector<std::string> remove();

 private:
  explicit RunFolder(const std::string& path) : folder_(path) {}
  void lock();
  void read_config();
  void find_places(bool to_use);
  std::optional<std::string> checked_result(const std::string& name) const;

  Folder folder_;
  RunConfig config_;
  Descriptor lock_{-1};
  PlaceList list_;
  std::vector<Place> places_;
  std::vector<std::string> place_faults_;
};

}  // namespace spillway
