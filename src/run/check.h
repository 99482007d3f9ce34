// One check from beginning to end: search, traces, verdict.
#pragma once

#include <string>
#include <vector>

#include "io/disk.h"
#include "run/goals.h"
#include "run/run.h"
#include "run/search.h"
#include "run/trace.h"
#include "run/verdict.h"
#include "run/watch.h"

namespace spillway {

// Properties that are left out because somebody wants it so.
struct Ignored {
  bool acceptance = false;
  bool reachable = false;
};

struct CheckOptions {
  Run::Options run;
  bool verify = false;             // read the visited set back when the search is complete
  std::uint64_t memory_bytes = 0;  // of the tables and buffers of the search
  Signatures signatures = {};
  Ignored ignored = {};
  Disk* disk = nullptr;        // for what memory does not hold; none: a disk in memory, which is for tests
  Watch* watch = nullptr;      // knows the clock then, and is told what goes on
  Journal* journal = nullptr;  // keeps the search from being lost; REQUIRES: the algorithm is durable
};

// What becomes of one property.
struct PropertyResult {
  std::string name;
  std::string_view kind;  // "invariant", "assertion", "cover", "reachable", "deadlock", "runtime-error", "acceptance"
  Outcome outcome = Outcome::inconclusive;
  bool checked = true;           // otherwise no search can decide it
  bool ignored = false;          // it was not to be checked
  const Trace* trace = nullptr;  // of a violated one; lives in the result
};

struct CheckResult {
  Verdict verdict;
  std::string no_room;    // of a disk that is full: what could not be written, and how much is missing
  std::string not_saved;  // why there is no newer checkpoint than the last one; empty: it has all levels that are done
  std::string untraced;   // of a finding for whose counterexample there was no time
  Statistics statistics;
  std::vector<Trace> traces;  // by kind and property
  Goals goals;
  Ignored ignored;
  double seconds = 0;
  double earlier_seconds = 0;        // of the processes that this one went on from
  std::uint64_t earlier_states = 0;  // that those expanded
  std::uint64_t budget_peak_bytes = 0;
  std::uint64_t peak_memory_bytes = 0;

  // Those of the model, "no deadlock" where it is asked for, "no run-time error", and what cannot be checked.
  std::vector<PropertyResult> properties(const Model& model, Deadlock deadlock) const;
};

// How likely it is, were signatures chosen at random, that a search omits a state and ends with no more than so many.
// The k-th different state that is met is taken for one of the k - 1 before it with a probability of (k - 1) / 2^bits,
// and the first one to be omitted is at most the (states + 1)-th: the sum of these.  Never below 1 / 2^bits; for
// many states above 1, and then it says nothing.
double omission_bound(unsigned bits, std::uint64_t states);
// What can be said of a run, or of none, that was asked to stop and has not: from another thread.
CheckResult unanswered(const Run* run, Stop why);

// Never throws: what goes wrong becomes the verdict ERROR.
CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options);

}  // namespace spillway
