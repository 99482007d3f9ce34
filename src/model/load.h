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

// The SHA-256 of a file, as 64 hexadecimal digits; empty if it cannot be read.
std::string sha256_of(const std::string& path);

// The kind of model is told by the ending of the name: .so is compiled, .graph is a graph.
// Throws Error(model).
LoadedModel load_model(const std::string& path);

}  // namespace spillway
