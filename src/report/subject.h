// What a result is about: the model and the options that matter to the reader of a report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/load.h"
#include "model/model.h"

namespace spillway {

struct Subject {
  std::string path;              // of the model, as given
  std::string sha256;            // of its file; empty if it could not be read
  const Model* model = nullptr;  // nullptr if it could not be loaded
  Deadlock deadlock = Deadlock::off;
  std::string algorithm;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;  // limit for the process
  std::string symmetry = "off";    // or how representatives are chosen: "exhaustive", "heuristic"
  std::string run_directory = {};  // of checkpoints; empty if there are none
  std::vector<LoadedModel::Warning> warnings = {};
  std::string native_model = {};  // must be named to resume; empty if none is needed
};

}  // namespace spillway
