// What the programs of the papers have in common: their arguments, and what happens to errors.
//
//   PROGRAM MODEL ALGORITHM [NAME=VALUE]...
//
// run_with_arguments() fills Arguments and promises an exit code: that of `run`, 2 if there are too
// few arguments, and 1 with a sentence on standard error if `run` throws.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <exception>
#include <map>
#include <string>

#include "base/text/quantity.h"

namespace spillway {

class Arguments {
 public:
  std::string model;
  std::string algorithm;
  std::map<std::string, std::string> given;

  bool has(const std::string& name) const { return given.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : found->second;
  }
  std::uint64_t number(const std::string& name, std::uint64_t otherwise) const {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : parse_count(found->second);
  }
};

// The arguments of this process: algorithms are made by plain functions, which cannot be given any.
inline Arguments& arguments() {
  static Arguments all;
  return all;
}

// Of all threads of this process.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline int run_with_arguments(int argc, char** argv, int (*run)()) {
  if (argc < 3) {
    fmt::print(stderr, "{} MODEL ALGORITHM [NAME=VALUE]...\n", argv[0]);
    return 2;
  }
  Arguments& all = arguments();
  all.model = argv[1];
  all.algorithm = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string assignment = argv[i];
    const std::size_t equals = assignment.find('=');
    if (equals != std::string::npos)
      all.given[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  try {
    return run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace spillway
