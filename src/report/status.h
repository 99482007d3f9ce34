// The status of a run that keeps checkpoints, for people and programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/durable/manifest.h"
#include "check/facts/limits.h"
#include "check/facts/live_status.h"
#include "check/ranks/rank_figures.h"
#include "report/progress/forecast.h"

namespace spillway {

struct RankPartStatus;

struct RunStatus {
  std::string directory;
  std::string model;
  std::string begun;
  std::optional<std::string> user;  // process that works on it; std::nullopt if none
  std::optional<Manifest> checkpoint;
  struct Product {
    std::size_t number = 0;  // from 0, as in the names of its files
    Manifest checkpoint;
  };
  std::vector<Product> products;              // those that have a checkpoint
  std::optional<LiveStatus> live;             // where the process is, or the last one was
  std::int64_t read = 0;                      // when this was read, in seconds since 1970
  std::vector<std::string> faults;            // of newer checkpoints than that
  std::optional<std::string> result;          // JSON, if the last process ended normally
  std::optional<std::string> earlier_result;  // JSON, of the last one before it that did
  std::uint64_t bytes = 0;                    // on disk
  bool native = false;                        // the model is native code and must be given again
  Limits limits = {};                         // that the run began with
  unsigned ranks = 1;                         // that share the run
  std::vector<RankPartStatus> parts;          // of those that are on this machine, if several do
};

// The part of one rank, as if it were a run of its own.
struct RankPartStatus {
  unsigned rank = 0;
  RunStatus status = {};

  // As far as they are known.
  RankFigures figures() const;
  std::int64_t age_seconds() const;  // of what is known of the process
};

// How the run will end, from its newest checkpoint.  std::nullopt if nobody can tell.
std::optional<Forecast> forecast(const RunStatus& status);

std::string status_text(const RunStatus& status);
std::string status_json(const RunStatus& status);

// The command that resumes a run; `model`: a file that must be named.
std::string resume_command(const std::string& directory, const std::string& model = "",
                           unsigned ranks = 1);

}  // namespace spillway
