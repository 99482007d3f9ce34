// The result of reading a text that is a program: the program, and warnings about it.
#pragma once

#include <string>
#include <vector>

#include "language/language.h"
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

struct ReadProgram {
  program::Program program;
  std::vector<Warning> warnings;
};

// The same for the table of languages.
ReadModel as_model(ReadProgram read);

}  // namespace spillway
