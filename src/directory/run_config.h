// The configuration of a run: its model and its options, written once when it begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/durable/manifest.h"

namespace spillway {

// Of a run of several ranks, each has a run directory of its own.
struct RunPart {
  Identity run;  // random, and the same in all parts of the run
  unsigned rank = 0, ranks = 1;
};

struct RunConfig {
  Identity identity;    // random
  std::string version;  // of the program that began it
  std::string begun;    // when, in UTC
  std::string machine;  // where
  std::string model;    // the path as given, made printable; for people only
  // Name of the copy in the run directory; empty if the model is native code, which is not copied.
  std::string copy;
  std::uint64_t bytes = 0;      // of the model
  std::string sha256;           // of the model
  std::optional<RunPart> part;  // nothing: the whole run, or a part that an older version has made
  std::vector<std::string> arguments;  // options that it was begun with

  bool native() const { return copy.empty(); }
};

// The name of the copy of a model, by its extension; empty for native code, which is not copied.
// Throws Error(model) for other extensions.
std::string copy_name(const std::string& model);
// True if that is the name of some copy, finished or not.
bool is_copy_of_model(const std::string& name);

// True if it names such a copy, of whatever kind of model.
bool is_copy_name(std::string_view name);

std::string to_text(const RunConfig& config);
// Throws Error(integrity) for anything that to_text() does not produce, Error(usage) for another
// version; both begin with `name`.  Does not check whether the options exist.
RunConfig parse_config(std::string_view text, const std::string& name);

// The mark that all files of this run bear.
RunMark mark_of(const RunConfig& config);

}  // namespace spillway
