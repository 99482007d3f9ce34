// Loads a model from the path a user gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

struct LoadedModel {
  std::unique_ptr<Model> model;
  std::string path;    // as given
  std::string sha256;  // of the file
  std::string symmetry = "off";
  // Something the user should know before the search, with its position in the file.
  struct Warning {
    std::uint32_t line, column;
    std::string text;
  };
  std::vector<Warning> warnings = {};
};

// The extension decides the kind of model: .so is compiled, .graph is a graph.  Throws
// Error(model).
LoadedModel load_model(const std::string& path);

}  // namespace spillway
