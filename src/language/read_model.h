// What becomes of a text: a program, and what is strange about it.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace spillway {

// Something that is allowed, but hardly meant.
struct Warning {
  program::Position position;
  std::string text;
  // more states are visited than the author may expect: it is told before a search
  bool changes_search = false;
};

struct ReadModel {
  program::Program program;
  std::vector<Warning> warnings;
};

}  // namespace spillway
