// The check of one case of `spillway test`, and its run, which is kept from one time to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "suite/manifest.h"

namespace spillway {

// The beginning of the names of all files of a case: no other case of the manifest has it.
std::string file_stem(const TestCase& test);

class CaseRun {
 public:
  // `folder` is where runs are kept; it exists.  Removes what is kept of other versions of the
  // case, and what cannot go on because it is damaged or of another check.  Throws Error if that is
  // impossible, or if `check` refuses the options.
  CaseRun(const TestCase& test, const std::string& folder);

  // What to do next, but for where results go: `check`, or `resume` if there is something to
  // resume.
  bool goes_on() const { return goes_on_; }
  // Why that must wait: another process works on it, or a disk with its files is not there.  Empty
  // if it need not.
  std::string obstacle() const { return goes_on_ ? obstacle_ : ""; }
  std::vector<std::string> command() const;

  // Where it is kept, if there is anything now.
  std::optional<std::string> kept() const;
  // Nothing goes on any more.  Throws Error.
  void remove();

 private:
  void remove_others(const std::string& folder) const;

  const TestCase& test_;
  const CommandSettings settings_;  // of `check`
  std::string path_;                // empty: nothing is kept
  bool goes_on_ = false;
  bool native_ = false;
  std::string obstacle_;
};

}  // namespace spillway
