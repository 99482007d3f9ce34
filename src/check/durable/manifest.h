// The contents of a checkpoint: how far a search has come, and which files hold the rest.
//
// A readable text with a SHA-256 at its end; the format is in docs/design/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/identity.h"
#include "check/facts/earlier_work.h"
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

struct Manifest : EarlierWork {
  RunMark run;
  RowMeaning rows;  // nothing: of a version that did not say
  std::uint64_t generation = 0;
  // Of a check on several ranks: each has its own manifests, of its own states.
  unsigned rank = 0, ranks = 1;
  LevelLog::Form form;
  std::vector<LevelLog::LogFile> parts;
  // A file beside the log, of a complete search (extra_files.h).
  struct Extra {
    std::string what;  // small letters
    std::uint64_t file = 0, id = 0, blocks = 0;
    bool operator==(const Extra&) const = default;
  };
  std::vector<Extra> extras;
};

// Padded with newlines to a multiple of the sector size.
std::string to_text(const Manifest& manifest);
// Throws Error(integrity), beginning with `name`, or Error(usage) for another version.  The result
// has plausible numbers, and to_text() of it is `text`.
Manifest parse_manifest(std::string_view text, const std::string& name);

}  // namespace spillway
