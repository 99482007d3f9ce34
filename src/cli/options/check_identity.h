// The identity of a check: its model and what is asked about it, as one digest.
//
// Two checks with the same identity give the same verdict and counts, if both come to their end. In
// it are the text of the model, and each option that can change a count or a verdict
// (SameFor::check in option_table.cc): formulas as they were read, also from files, and the texts
// of automata.  Threads, memory, ranks, limits, reports and the version of the program are not.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "directory/run_config.h"

namespace spillway {

// Of a check from the command line.  Reads the model and the files.  Throws what reading them
// throws, and so do mistakes in formulas.
std::string check_identity(const CommandSettings& settings);
// The same, of the words behind `spillway check`: a model, and options.
std::string check_identity(const std::vector<std::string>& arguments);
// The same, if the model and the properties have been read already.
std::string check_identity(const CommandSettings& settings, const std::string& model_sha256,
                           const RunProperties& runs);
// Of the run that a run directory keeps.  `name`: of the configuration, in messages.  Throws
// Error(integrity) if it has options that no run records.
std::string check_identity(const RunConfig& config, const std::string& name);

// What all ranks must have the same beside that, although another process may have it otherwise.
std::string ranks_text(const CommandSettings& settings);

}  // namespace spillway
