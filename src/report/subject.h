// What a result is about: the model and the options that matter to whoever reads the report.
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
  const Model* model = nullptr;  // none if it could not be loaded
  Deadlock deadlock = Deadlock::off;
  std::string algorithm;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;  // what the process may take
  std::string symmetry = "off";    // or which states stand for their class: "exhaustive", "heuristic"
  std::string run_directory = {};  // where checkpoints are kept; empty: nowhere
  std::vector<LoadedModel::Warning> warnings = {};
  std::string native_model = {};  // that has to be named again to go on from there; empty: none has
};

}  // namespace spillway
