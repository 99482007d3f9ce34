// The subject of a result: the model and the options that matter to the reader of a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

// An option as the user gave it, to this process or when the run started.
struct GivenOption {
  std::string name;                 // without dashes
  std::vector<std::string> values;  // none for a flag
  bool repeatable = false;
};

struct Subject {
  std::string path;              // of the model, as given
  std::string sha256;            // of its file; empty if it could not be read
  const Model* model = nullptr;  // nullptr if it could not be loaded
  Deadlock deadlock = Deadlock::off;
  std::string algorithm;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;  // limit for the process
  std::string symmetry = "off";    // or how representatives are chosen: "exhaustive", "heuristic"
  bool could_be_kept = true;       // such a run can have checkpoints
  std::string run_directory = {};  // of checkpoints; empty if there are none
  unsigned ranks = 1;              // that share the check
  std::vector<Diagnostic> diagnostics = {};  // errors and warnings about the text of the model
  std::string native_model = {};             // must be named to resume; empty if none is needed
  std::vector<std::string> command = {};     // of this process
  std::string commit = {};                   // that this program was built from; empty: unknown
  std::vector<GivenOption> options = {};
  std::map<std::string, std::int64_t> constants = {};  // that options have set
  // Those of the options that change what a verdict means, as a person would write them:
  // "NODES=5 --deadlock=off".
  std::string configuration = {};
  std::size_t formulas = 0;  // properties of runs that are checked beside those of the model
  std::string run_semantics =
      {};  // what a run is, in one line; empty if nothing is said about runs
};

}  // namespace spillway
