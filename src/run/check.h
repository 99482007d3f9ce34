// One check from beginning to end: search, traces, verdict.
#pragma once

#include <string>
#include <vector>

#include "io/disk.h"
#include "run/run.h"
#include "run/search.h"
#include "run/trace.h"
#include "run/verdict.h"

namespace spillway {

struct CheckOptions {
  Run::Options run;
  bool verify = false;             // read the visited set back when the search is complete
  std::uint64_t memory_bytes = 0;  // of the tables and buffers of the search
  Signatures signatures = {};
  Disk* disk = nullptr;        // for what memory does not hold; none: a disk in memory, which is for tests
  Journal* journal = nullptr;  // keeps the search from being lost; REQUIRES: the algorithm is durable
};

// What becomes of one property.
struct PropertyResult {
  std::string name;
  std::string_view kind;  // "invariant", "assertion", "cover", "reachable", "deadlock", "runtime-error"
  Outcome outcome;
  const Trace* trace = nullptr;  // of a violated one; lives in the result
};

struct CheckResult {
  Verdict verdict;
  std::string no_room;    // of a disk that is full: what could not be written, and how much is missing
  std::string not_saved;  // why there is no newer checkpoint than the last one; empty: it has all levels that are done
  Statistics statistics;
  std::vector<Trace> traces;  // by kind and property
  double seconds = 0;
  double earlier_seconds = 0;        // of the processes that this one went on from
  std::uint64_t earlier_states = 0;  // that those expanded
  std::uint64_t budget_peak_bytes = 0;
  std::uint64_t peak_memory_bytes = 0;

  // Those of the model, and "no deadlock" and "no run-time error" where they are asked for.
  std::vector<PropertyResult> properties(const Model& model, Deadlock deadlock) const;
};

// Never throws: what goes wrong becomes the verdict ERROR.
CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options);

}  // namespace spillway
