// Opens a model in any language from the path a user gives.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/text/diagnostic.h"
#include "language/language.h"
#include "model/model.h"
#include "model/program_code.h"

namespace spillway {

enum class SymmetryMode { automatic, off, exhaustive, heuristic };

struct OpeningOptions : ReadingOptions {
  SymmetryMode symmetry = SymmetryMode::automatic;
  Executed executed = Executed::automatic;
  bool verified = false;  // check symmetry in every state, not in some
  Compiling compiling;
  // Instances of one rule are not the same to the caller, so symmetry must not be used.
  bool distinguishes_rules = false;
};

struct LoadedModel {
  std::unique_ptr<Model> model;
  std::string path;    // as given
  std::string sha256;  // of the file
  std::string symmetry = "off";
  std::vector<Diagnostic> warnings = {};  // what the user should know before the search
  // Propositions that are not the same for all permutations of symmetric identities.  If there are
  // any, symmetry is off.  If it would have been used, a sentence for the user says why not.
  std::vector<std::size_t> asymmetries = {};
  std::string symmetry_given_up = {};
};

// Reads and checks a file, and makes nothing of what it means.  Throws Error(model), or Error(usage)
// for options that do not fit the model.
ReadModel read_model(const std::string& path, const ReadingOptions& options);

// The model is not compiled before Runtime::prepare().  Throws what read_model() does.
LoadedModel open_model(const std::string& path, const OpeningOptions& options);
// True if the model is one of a system whose runs a property process judges, without that process.
bool has_property_process(const Model& model);

}  // namespace spillway
