// Where a check keeps what a later process can resume from: in the folder of the run it resumes, in
// the folder given by --run-dir, in a folder beside the scratch files if --disk announces a long
// search, or nowhere.
#pragma once

#include <optional>
#include <string>

#include "check/verdict.h"
#include "cli/options.h"
#include "directory/run_folder.h"

namespace spillway {

class KeptRun {
 public:
  explicit KeptRun(const RunFolder& folder) : folder_(&folder) {}  // a resumed run
  // A new run.  Throws Error(usage) if the requested folder cannot be used, Error(model) if the
  // model has changed since it was read.  If a folder that was not requested cannot be made, a
  // message says why and nothing is kept.
  KeptRun(const Settings& settings, const Algorithm& algorithm, const std::string& model_sha256);
  // Removes a folder that was not requested, unless end() found that there is something to resume.
  ~KeptRun();
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

  const RunFolder* folder() const { return folder_; }  // nullptr if nothing is kept
  bool unasked() const { return unasked_; }

  // True if the folder is still of use after this verdict.
  bool stays(const Verdict& verdict) const;
  // Writes the result to the folder if that stays.  A failure is only reported: the result itself
  // is not lost.
  void end(const Verdict& verdict, const std::string& json);

 private:
  void begin_beside_scratch(const Settings& settings, const std::string& model_sha256);

  std::optional<RunFolder> made_;
  const RunFolder* folder_ = nullptr;
  bool unasked_ = false;
  bool goes_ = false;  // the destructor removes the folder
};

}  // namespace spillway
