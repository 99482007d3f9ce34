// What a run is: its model and its options, written once when it begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/manifest.h"

namespace spillway {

struct RunConfig {
  Identity identity;        // drawn at random
  std::string version;      // of the program that began it
  std::string begun;        // when, in UTC
  std::string machine;      // where
  std::string model;        // the path as it was given, printable: for people only
  std::string copy;         // name of the copy in the folder; empty: the model is native code, and not copied
  std::uint64_t bytes = 0;  // of the model
  std::string sha256;       // of the model
  std::vector<std::string> arguments;  // options that it was begun with

  bool native() const { return copy.empty(); }
};

// The name of the copy of a model whose name ends so; empty: native code, of which there is none.
// Throws Error(model) for other endings.
std::string copy_name(const std::string& model);

std::string to_text(const RunConfig& config);
// Throws Error(integrity) for anything that to_text() does not return, Error(usage) for another version; both begin
// with `name`.  Whether the options are some is not looked at.
RunConfig parse_config(std::string_view text, const std::string& name);

// What everything of this run has.
RunMark mark_of(const RunConfig& config);

}  // namespace spillway
