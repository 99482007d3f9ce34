// Judges whether a check has ended as its case expects.
#pragma once

#include <optional>
#include <string>

#include "report/json.h"
#include "suite/manifest.h"

namespace spillway {

enum class CaseStatus { passed, failed, inconclusive, error };
std::string_view word_of(CaseStatus status);

struct CaseResult {
  std::string name, model;
  std::vector<std::string> lanes;
  CaseStatus status = CaseStatus::error;
  std::string message;  // why it has not passed; empty if it has
  std::string verdict;  // of the check; empty if there is none
  std::uint64_t states = 0;
  double seconds = 0;        // of this process
  bool damaged = false;      // what the check has stored
  bool may_go_on = false;    // it has not come to its end, and what it has stored is not at fault
  std::string continues_in;  // the run directory that is kept for the next time; may be empty
};

// `document`: the result of the check; std::nullopt if it left none.  A check that was not complete
// never passes, and neither does one whose result nobody can read, or whose exit code alone would
// fail a job.
CaseResult judge(const TestCase& test, const std::optional<std::string>& document, int exit_code);

}  // namespace spillway
