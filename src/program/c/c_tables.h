// Tables that all functions of the generated C text share.
#pragma once

#include <string>
#include <vector>

#include "program/layout.h"
#include "program/program.h"

namespace spillway::program {

std::string c_number(Value value);

// The domains with several intervals, whose codes need a function of their own, and the images of
// cleared values.
class CTables {
 public:
  std::size_t domain(const Domain& domain);  // its number; the functions are value0, code0, ...
  std::size_t cleared(const Type& type);     // the array is cleared0, ...
  std::string text() const;

 private:
  std::vector<std::vector<Interval>> domains_;
  std::vector<std::vector<Word>> images_;
};

}  // namespace spillway::program
