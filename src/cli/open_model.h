// From the path a user gives to a model, in any language.
#pragma once

#include <optional>

#include "language/dve/dve.h"
#include "language/murphi/murphi.h"
#include "model/load.h"
#include "model/native.h"

namespace spillway {

enum class SymmetryMode { automatic, off, exhaustive, heuristic };

struct ReadingOptions {
  MurphiOptions murphi;
  DveOptions dve;
  SymmetryMode symmetry = SymmetryMode::automatic;
  bool interpreted = false;  // step by step instead of compiled
  bool verified = false;     // that it is symmetric: in every state, not in some
  std::string shown_path;    // of the model, in messages; empty: its path
  Compiling compiling;
};

// Whether a file of this name is a text that lint can look at.
bool is_text_model(const std::string& path);
// Reads and checks a text.  Throws Error(model).
ReadModel read_text_model(const std::string& path, const ReadingOptions& options);

// Throws Stopped, Error(model), or Error(usage) for options that do not fit the model.
LoadedModel open_model(const std::string& path, const ReadingOptions& options);

}  // namespace spillway
