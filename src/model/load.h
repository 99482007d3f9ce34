// From the path a user gives to a model.
#pragma once

#include <memory>
#include <string>

#include "model/model.h"

namespace spillway {

struct LoadedModel {
  std::unique_ptr<Model> model;
  std::string path;    // as given
  std::string sha256;  // of the file
  std::string symmetry = "off";
};

// The kind of model is told by the ending of the name: .so is compiled, .graph is a graph.
// Throws Error(model).
LoadedModel load_model(const std::string& path);

}  // namespace spillway
