// The run directory of a check, if it has one: the one that is resumed, the one that the user asked
// for, or one beside the scratch files if --disk announces a long search.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/facts/verdict.h"
#include "check/session/search.h"
#include "directory/run_directory.h"

namespace spillway {

// What the user asked for, and what goes into the configuration.
struct RunDirectoryRequest {
  std::optional<std::string> path;     // empty: none; std::nullopt: chosen by the program
  std::vector<std::string> disks;      // directories for scratch files
  std::string model;                   // path
  std::string model_sha256;            // as it was read
  std::string version;                 // of this program
  std::vector<std::string> arguments;  // options that a later process needs
  std::optional<RunPart> part;         // that `path` is for, of a run of several ranks
};

class ChosenRunDirectory {
 public:
  using Warn = std::function<void(const std::string&)>;  // shows a sentence to the user

  // A resumed one.
  ChosenRunDirectory(const RunDirectory& directory, Warn warn)
      : directory_(&directory), warn_(std::move(warn)) {}
  // A new one, or none.  Throws Error(usage) if the requested one cannot be used, Error(model) if
  // the model has changed since it was read.  If one that was not requested cannot be created, a
  // warning says why, and the check runs without one.
  ChosenRunDirectory(FileSystem& files, const RunDirectoryRequest& request,
                     const Algorithm& algorithm, Warn warn);
  // Removes one that was not requested, unless end() found that there is something to resume.
  ~ChosenRunDirectory();
  ChosenRunDirectory(const ChosenRunDirectory&) = delete;
  ChosenRunDirectory& operator=(const ChosenRunDirectory&) = delete;

  const RunDirectory* directory() const { return directory_; }  // nullptr if there is none
  bool is_unrequested() const { return unrequested_; }

  // True if the directory is still of use after this verdict.
  bool stays(const Verdict& verdict) const;
  // Writes the result to the directory if that stays.  A failure is only a warning: the result
  // itself is not lost.
  void end(const Verdict& verdict, std::string json);

 private:
  void create_beside_scratch(FileSystem& files, const RunDirectoryRequest& request);

  std::optional<RunDirectory> created_;
  const RunDirectory* directory_ = nullptr;
  bool unrequested_ = false;
  bool remove_ = false;  // the destructor removes the directory
  const Warn warn_;
};

}  // namespace spillway
