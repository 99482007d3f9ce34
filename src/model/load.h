// From the path a user gives to a model.
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
  // What the user should know before a search, with its place in the file.
  struct Warning {
    std::uint32_t line, column;
    std::string text;
  };
  std::vector<Warning> warnings = {};
};

// The kind of model is told by the ending of the name: .so is compiled, .graph is a graph.
// Throws Error(model).
LoadedModel load_model(const std::string& path);

}  // namespace spillway
