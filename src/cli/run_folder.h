// The folder of a run: what a person and a later process need to continue it.
//
//   LOCK        held by the process that works on it
//   README.txt  what all this is
//   config      the model and the options, written once, with a SHA-256 at its end
//   model.*     a copy of the model, if it is a text
//   places      other folders in which files of the run lie
//   manifest-*, levels-*  see run/journal.h
//   result.json what came out, when the last process that worked on it ended by itself
//   result-before.json  the same of a process before it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/descriptor.h"

namespace spillway {

struct RunConfig {
  std::string version;      // of the program that began it
  std::string begun;        // when, in UTC
  std::string machine;      // where
  std::string model;        // the path as it was given
  std::string copy;         // name of the copy in the folder; empty: the model was not copied, and `model` is absolute
  std::uint64_t bytes = 0;  // of the model
  std::string sha256;       // of the model
  std::vector<std::string> arguments;  // options that it was begun with
};

class RunFolder {
 public:
  // Makes the folder, or takes an empty one, and writes the configuration; fills in `copy`, `bytes` and `sha256`.
  // Throws Error(usage) when there is something in it.
  static RunFolder create(const std::string& path, RunConfig config);
  // The folder of a run that there is.  Throws Error(usage) when it is none, or another process works on it, and
  // Error(integrity) when the configuration is not what was written.
  static RunFolder open(const std::string& path);
  // The same without asking others to leave it alone: only for looking.
  static RunFolder look(const std::string& path);

  const std::string& path() const { return path_; }
  const RunConfig& config() const { return config_; }
  // Where to read the model.  Throws Error(integrity) when it is not the one that the run began with.
  std::string model_path() const;

  // Who works on it, in words; nothing: nobody.
  std::optional<std::string> user() const;

  // All folders with files of the run; new files belong into the last.
  std::vector<std::string> places() const;
  // A folder inside `directory` from now on as well.
  void add_place(const std::string& directory);

  // The search goes on: what there is of a result is an earlier process's from now on.
  void take_up() const;
  void write_result(const std::string& json) const;
  std::optional<std::string> result() const;          // of the last process; nothing: it was killed, or works still
  std::optional<std::string> earlier_result() const;  // of the last one before it that ended by itself

  // Removes all files of the run, and the folder.  REQUIRES: open(), not look().
  void remove();

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::string inside(const std::string& name) const { return path_ + "/" + name; }
  void lock();
  void read_config();

  std::string path_;
  RunConfig config_;
  Descriptor lock_{-1};
};

}  // namespace spillway
