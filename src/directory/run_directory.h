// A run directory: what a person and a later process need to resume a check.
//
//   LOCK        held by the process that works on it
//   README.txt  an explanation for people (readme.h)
//   config      the model and the options, written once (run_config.h)
//   model.*     a copy of the model, if it is a text
//   places      other directories with files of the run (run_places.h)
//   checkpoints, manifest-*, levels-*  see check/durable/journal.h
//   product-*   the same of each product (check/durable/product_journal.h)
//   now         where a living process is, for `status` (check/facts/live_status.h)
//   result.json the result, if the last process that worked on it ended normally (run_result.h)
//   result-before.json  the result of an earlier process
//
// The directory may come from somebody else.  Only what this version writes is read from it,
// nothing in it is executed, and no file is written or removed that is not the run's own.
//
// All of it can be interrupted by a loss of power at any time.  What create() and take_up() have
// done is durable when they return, and so is a result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/facts/live_status.h"
#include "directory/run_config.h"
#include "directory/run_places.h"
#include "io/texts/file_system.h"

namespace spillway {

// Throws Error(usage) unless the directory for a new run is empty or does not exist.
void need_new_directory(FileSystem& files, const std::string& path);

class RunDirectory {
 public:
  // Creates the directory, or takes an empty one, and writes the configuration; sets `identity`,
  // `copy`, `bytes` and `sha256`.  Throws Error(usage) if it is not empty, Error(model) if the
  // model cannot be read.  What it has made is removed if it fails.  `files` must outlive the
  // object, here and below.
  static RunDirectory create(FileSystem& files, const std::string& path, RunConfig config,
                             const std::string& model);
  // Opens an existing run directory and locks it.  Throws Error(usage) if it is none, is of another
  // version, or another process works on it; Error(integrity) if the configuration is lost or
  // damaged.
  static RunDirectory open(FileSystem& files, const std::string& path);
  // Removes the files that a process has made in a directory, even if create() has not come to its
  // end, and as far as that is possible.  REQUIRES: the caller knows that it is of this run.
  static void remove_made_files(FileSystem& files, const std::string& path);
  // Opens read-only, without taking the lock.
  static RunDirectory look(FileSystem& files, const std::string& path);

  const std::string& path() const { return directory_->path(); }
  const RunConfig& config() const { return config_; }
  RunMark mark() const { return mark_of(config_); }
  // The file to read the model from: the copy, or for native code the file named by the user.
  // Throws Error(integrity) if it is lost or not the one that the run began with; Error(usage) if
  // native code was not named, or a file was named although there is a copy.
  std::string model_path(const std::string& named) const;
  // Throws as model_path() does, if there is a copy.
  void check_copy() const;

  // The process that works on it, in words; std::nullopt if none does.
  std::optional<std::string> user() const;

  // All directories with files that belong to this run; new files go to the last.
  std::vector<std::string> own_places() const;
  // Places of the run that this one is a copy of; read-only.
  std::vector<std::string> places_of_original() const;
  // What is wrong with places; empty if nothing is.
  const std::vector<std::string>& place_faults() const { return place_faults_; }
  // Throws Error(integrity) if anything is.
  void need_places() const;
  // Adds a place inside `directory`, unless there is one.  Throws Error.
  void add_place(const std::string& directory);

  // The search resumes: an existing result becomes that of an earlier process.
  void take_up() const;
  // Any thread.  Throws Error.
  void write_live_status(const LiveStatus& now) const;
  // What the process that works on it, or the last one, has written last; std::nullopt if nothing
  // intact.
  std::optional<LiveStatus> live_status() const;
  // REQUIRES: the output of to_json().
  void write_result(std::string json) const;
  // Of the last process; std::nullopt if it was killed or is still running.  Throws
  // Error(integrity) if it is not what this run wrote.
  std::optional<std::string> result() const;
  // Of the last one before it that ended normally.
  std::optional<std::string> earlier_result() const;

  // Total size of all files.
  std::uint64_t bytes() const;
  // Removes all files of the run and the directory; returns what is left of places, and why.  Files
  // that do not belong to the run are left, and Error(usage) is thrown.  REQUIRES: open(), not
  // look().
  std::vector<std::string> remove();
  // The same for one that open() refuses, because it was not set up completely or is damaged; files
  // in other places stay.  Nothing is removed if there is a file that no run makes, or another
  // process works on it: then Error(usage) is thrown.
  static void remove_damaged(FileSystem& files, const std::string& path);

 private:
  RunDirectory(FileSystem& files, const std::string& path);
  void lock();
  void set_up(RunConfig config, const std::string& model_text);
  void read_config();
  void find_places(bool to_use);
  void write_list(const PlaceList& list) const;
  bool is_own(const std::string& name) const;
  std::optional<std::string> checked_result(const std::string& name) const;

  FileSystem* files_;
  std::unique_ptr<Directory> directory_;
  RunConfig config_;
  std::unique_ptr<TextFile> lock_;
  PlaceList list_;
  std::vector<RunPlace> places_;
  std::vector<std::string> place_faults_;
};

}  // namespace spillway
