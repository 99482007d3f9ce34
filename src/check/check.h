// One check from beginning to end: search, traces, verdict.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/facts/verdict.h"
#include "check/graph/goals.h"
#include "check/session/search.h"
#include "check/session/session.h"
#include "check/session/short_rows.h"
#include "check/session/watch.h"
#include "check/trace/trace.h"
#include "io/data/disk.h"

namespace spillway {

class Journal;

// Properties of the model that the user has excluded.  What the user asks for beside the model is
// never among them.
struct Ignored {
  bool acceptance = false;  // its property process and its accepting states
  bool reachable = false;
};

// A property of the runs of the model, judged on a product of the model and what reads its runs.
struct RunCheck {
  std::string name;   // empty: of a property process that only has assertions
  PropertyKind kind;  // acceptance, of a property process, or ltl
  // Called if nothing is wrong with the model itself; the product must outlive the result.
  std::function<const Model&()> product;
  // A shortest lasso of the product is as long as the shortest run that violates the property.
  bool is_tight = true;
};

struct CheckOptions {
  SessionOptions session;
  bool verify = false;             // read the visited set back after a complete search
  std::uint64_t memory_bytes = 0;  // for tables and buffers of the search
  Signatures signatures = {};
  bool hash_on_disk = false;  // the perfect hash of a search that uses one
  // std::nullopt: searches store states, however wide they are.
  std::optional<ShortRowsSettings> short_rows = ShortRowsSettings{};
  bool minimal = false;  // runs that violate a property are to be shortest ones
  Ignored ignored = {};
  std::vector<RunCheck> runs = {};
  std::vector<ltl::NamedCtl> ctl = {};       // about propositions of the model
  const Algorithm* run_algorithm = nullptr;  // searches products; nullptr: the one of the model
  Disk* disk = nullptr;                      // for what exceeds memory; REQUIRES: there is one
  Watch* watch = nullptr;                    // keeps the clock and follows the stages of the check
  Journal* journal = nullptr;  // makes the search durable; REQUIRES: algorithm.durable

  bool is_wanted(const RunCheck& run) const;
  // Some run check is.
  bool wants_runs() const;
};

// The result for a RunCheck.
struct RunResult {
  std::string name;
  PropertyKind kind;
  bool searchable = true;  // false: the algorithm cannot decide it
  bool decided = false;
  std::optional<Statistics> product = {};  // of its search, if there was one
  std::uint64_t earlier_states = 0;        // of these, expanded by processes that this one resumed
};

// The result for one property.
struct PropertyResult {
  std::string name;
  PropertyKind kind = PropertyKind::invariant;
  Outcome outcome = Outcome::inconclusive;
  std::uint32_t line = 0, column = 0;  // in the text of the model; 0: unknown
  bool checked = true;                 // false: no search can decide it
  bool ignored = false;                // excluded by the user
  const Trace* trace = nullptr;        // if violated; points into the CheckResult
};

// What a simulation did in place of a search.
struct Walks {
  std::uint64_t seed = 0;
  std::uint64_t depth = 0;                     // the most steps of a walk
  std::uint64_t walks = 0;                     // complete, or up to the one that found something
  std::uint64_t steps = 0;                     // of all of them
  std::uint64_t longest = 0;                   // the most steps that one took
  std::optional<std::uint64_t> found_in = {};  // the number of the walk that found something
};

struct CheckResult {
  Verdict verdict;
  std::string no_room;  // what there was no room for, on disk or in memory
  // Why the newest checkpoint lacks completed levels; empty if it has all of them.
  std::string not_saved;
  std::string untraced;  // about a finding that a limit left without a counterexample
  Statistics statistics;
  std::optional<Walks> walks;  // states are then counted whenever they are visited
  std::vector<RunResult> runs;
  std::vector<std::string> ctl;     // the names of the formulas
  bool decides_acceptance = false;  // unless something else ended the check before
  std::vector<Trace> traces;        // by kind and property; those of runs come last
  Goals goals;
  // Of the completed levels.  Nothing: nothing is observed of the model, or the search is not by
  // levels and has ended early.
  std::optional<Coverage> coverage;
  Ignored ignored;
  double seconds = 0;
  double earlier_seconds = 0;        // of the processes that this one resumed
  std::uint64_t earlier_states = 0;  // expanded by those
  std::uint64_t budget_peak_bytes = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::vector<RankFigures> ranks;  // that share the check; empty: one process

  // The properties of the model, "no deadlock" if it is checked, "no run-time error", those of
  // runs, and those that cannot be checked.
  std::vector<PropertyResult> properties(const Model& model, Deadlock deadlock) const;
};

// An upper bound on the probability, over random signatures, that a search omits a state and ends
// with at most `states` states.
//
// The k-th distinct state is mistaken for one of the k - 1 before it with probability (k - 1) /
// 2^bits, and the first state to be omitted is at most the (states + 1)-th: the bound is the sum of
// these.  For states >= 1 it is at least 1 / 2^bits.  Above 1 it says nothing.
double omission_bound(unsigned bits, std::uint64_t states);

// What an algorithm is asked for.
struct CheckRequest {
  Limits limits = {};
  bool signatures = false;
  bool durable = false;
  unsigned ranks = 1;
  const Model* model = nullptr;  // nullptr: not known yet
  Ignored ignored = {};
  std::span<const ltl::NamedCtl> ctl = {};
};
// Why it cannot do that, as a sentence that names the option; empty if it can.
std::string why_not(const CheckRequest& asked, const Algorithm& algorithm);

// The result of a check that did not react to a stop request.  Called from another thread;
// `session` may be nullptr.
CheckResult unanswered(const Session* session, Stop why);

// Never throws: a failure becomes the verdict ERROR.
CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options);

}  // namespace spillway
