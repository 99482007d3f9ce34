// The result of reading a model: a program, and warnings about it.
#pragma once

#include <string>
#include <vector>

#include "base/text/diagnostic.h"
#include "program/program.h"

namespace spillway {

// Something that is allowed, but probably not intended.
struct Warning {
  program::Position position;
  std::string text;
  // The search visits more states than the author may expect, so `check` prints the warning too.
  bool changes_search = false;
  // There is nothing to search, so `check` refuses the model and `lint` reports an error.
  bool refused = false;
};

struct ReadModel {
  program::Program program;
  std::vector<Warning> warnings;
};

// The warnings with the lines that they are about.
std::vector<Diagnostic> diagnostics(const ReadModel& model);

}  // namespace spillway
