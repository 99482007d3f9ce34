// Opens a model in any language from the path a user gives.
#pragma once

#include <optional>
#include <vector>

#include "base/text/proposition_text.h"
#include "language/dve/dve.h"
#include "language/murphi/murphi.h"
#include "model/load.h"
#include "model/program_code.h"

namespace spillway {

enum class SymmetryMode { automatic, off, exhaustive, heuristic };

struct ReadingOptions {
  MurphiOptions murphi;
  DveOptions dve;
  SymmetryMode symmetry = SymmetryMode::automatic;
  Executed executed = Executed::automatic;
  bool verified = false;   // check symmetry in every state, not in some
  std::string shown_path;  // of the model, in messages; empty: its path
  Compiling compiling;
  // Of formulas: boolean expressions in the language of the model, in its global scope.
  std::vector<PropositionText> propositions = {};
  // Instances of one rule are not the same to the caller, so symmetry must not be used.
  bool distinguishes_rules = false;
};

// True if the name is that of a text that lint can check.
bool is_text_model(const std::string& path);
// Reads and checks a text.  Throws Error(model).
ReadModel read_text_model(const std::string& path, const ReadingOptions& options);

// The model is not compiled before Runtime::prepare().  Throws Error(model), or Error(usage) for
// options that do not fit the model.
LoadedModel open_model(const std::string& path, const ReadingOptions& options);
// True if the model is one of a system whose runs a property process judges, without that process.
bool has_property_process(const Model& model);

}  // namespace spillway
