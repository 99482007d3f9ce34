// Where a check keeps what a later process can go on from: in the folder of a run that is continued, in the one that
// --run-dir names, in a folder beside the scratch files when --disk says that the search may be a long one, or nowhere.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/run_folder.h"
#include "run/verdict.h"

namespace spillway {

class KeptRun {
 public:
  explicit KeptRun(const RunFolder& folder) : folder_(&folder) {}  // of a run that is continued
  // Of a run that begins.  Throws Error(usage) when the folder that was asked for cannot be had, Error(model) when the
  // model is no longer the one that was read.  A folder that nobody asked for is done without; why is said.
  KeptRun(const Settings& settings, const Algorithm& algorithm, const std::string& model_sha256);
  // A folder that nobody asked for goes, unless end() has found that there is something to continue.
  ~KeptRun();
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

  const RunFolder* folder() const { return folder_; }  // nothing: it is not kept
  bool unasked() const { return unasked_; }

  // Whether the folder is still of use when this has come out.
  bool stays(const Verdict& verdict) const;
  // Writes the result into the folder, or removes it.  What cannot be written is said: the result itself is not lost.
  void end(const Verdict& verdict, const std::string& json);

 private:
  void begin_beside_scratch(const Settings& settings, const std::string& model_sha256);

  std::optional<RunFolder> made_;
  const RunFolder* folder_ = nullptr;
  bool unasked_ = false;
  bool goes_ = false;  // at the end
};

}  // namespace spillway
