// The contents of a checkpoint: how far a search has come, and which files hold the rest.
//
// A readable text with a SHA-256 at its end; the format is in docs/design/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/identity.h"
#include "check/finding.h"
#include "check/statistics.h"
#include "model/coverage.h"
#include "model/model.h"
#include "storage/levels/level_log.h"

namespace spillway {

// Identifies the run that a file belongs to.  No two runs share a mark, even of the same model with
// the same options.
struct RunMark {
  Identity identity;
  // SHA-256 of the configuration, which includes that of the model.
  std::string config = std::string(64, '0');
  std::string model = std::string(64, '0');  // SHA-256
  bool operator==(const RunMark&) const = default;
};

// What the rows of a journal mean, as far as the program has chosen that and not the text of the
// model: SHA-256 of Model::layout() and Model::automaton().
struct RowMeaning {
  std::string layout;     // empty: nobody has said
  std::string automaton;  // empty: there is none
  bool operator==(const RowMeaning&) const = default;
};
RowMeaning row_meaning(const Model& model);

// Throws Error(integrity), beginning with `name`, if `found` is not the mark of this run.
void check_mark(const RunMark& found, const RunMark& run, const std::string& name);

// The largest number of a generation: there is always a next one.
inline constexpr std::uint64_t kMostGenerations = std::uint64_t{1} << 62;

struct Manifest {
  RunMark run;
  RowMeaning rows;  // nothing: of a version that did not say
  std::uint64_t generation = 0;
  double seconds = 0;  // that the search has taken so far
  // Of a check on several ranks: each has its own manifests, of its own states.
  unsigned rank = 0, ranks = 1;
  std::vector<Level> levels;  // completed levels
  // Of the next level, whose states are in the log; 0 if the search is complete.
  std::uint64_t level_states = 0;
  // The search is complete, and nothing was found: nothing else of it is needed, not even its log.
  // Only of products.
  bool decided = false;
  std::vector<std::uint64_t> covered;  // cover properties that have held
  // Violations in states of the completed levels, by kind and property, without what a rule that
  // failed had to say.  Only of a search that went on (Limits::max_errors).
  std::vector<Finding> found;
  Observed observed;  // in the completed levels; empty: the model observes nothing
  LevelLog::Form form;
  std::vector<LevelLog::LogFile> parts;
  // A file beside the log, of a complete search (extra_files.h).
  struct Extra {
    std::string what;  // small letters
    std::uint64_t file = 0, id = 0, blocks = 0;
    bool operator==(const Extra&) const = default;
  };
  std::vector<Extra> extras;

  std::uint64_t states() const;  // of the completed levels
};

// Padded with newlines to a multiple of the sector size.
std::string to_text(const Manifest& manifest);
// Throws Error(integrity), beginning with `name`, or Error(usage) for another version.  The result
// has plausible numbers, and to_text() of it is `text`.
Manifest parse_manifest(std::string_view text, const std::string& name);

}  // namespace spillway
