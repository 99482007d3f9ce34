// What a checkpoint says: how far a search has come, and which files tell the rest.
//
// A text with a SHA-256 at its end, for people as well; the format is docs/design/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/identity.h"
#include "run/statistics.h"
#include "storage/level_log.h"

namespace spillway {

// The run that a file belongs to.  Two runs never have the same, not even of the same model with the same options.
struct RunMark {
  Identity identity;
  std::string config = std::string(64, '0');  // SHA-256 of the configuration, which has that of the model
  std::string model = std::string(64, '0');   // SHA-256
  bool operator==(const RunMark&) const = default;
};

// Throws Error(integrity), which begins with `name`, if something with the mark `found` is not of this run.
void check_mark(const RunMark& found, const RunMark& run, const std::string& name);

inline constexpr std::uint64_t kMostGenerations = std::uint64_t{1} << 62;  // so that there is always a next one

struct Manifest {
  RunMark run;
  std::uint64_t generation = 0;
  double seconds = 0;                  // that the search has taken so far
  std::vector<Level> levels;           // that are done
  std::uint64_t level_states = 0;      // of the next one, whose states are in the log; 0: the search is complete
  std::vector<std::uint64_t> covered;  // properties that have been
  LevelLog::Form form;
  std::vector<LevelLog::Part> parts;

  std::uint64_t states() const;  // of the levels that are done
};

// Filled up with newlines to whole sectors.
std::string to_text(const Manifest& manifest);
// Throws Error(integrity), which begins with `name`, or Error(usage) for one of another version.  What is returned has
// numbers that can be, and makes this text again.
Manifest parse_manifest(std::string_view text, const std::string& name);

}  // namespace spillway
