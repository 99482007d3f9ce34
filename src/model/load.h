// Loads a model from the path a user gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/text/diagnostic.h"
#include "base/text/proposition_text.h"
#include "model/model.h"

namespace spillway {

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

// Throws Error(model) if there is no such file, with the name of the file that was probably meant.
void require_model_file(const std::string& path);

// The extension decides the kind of model: .so is compiled, .graph is a graph.  Propositions are
// names that the model has.  Throws Error(model).
LoadedModel load_model(const std::string& path,
                       const std::vector<PropositionText>& propositions = {});

}  // namespace spillway
