// The interface of all searches, and of the table of algorithms.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/crew.h"
#include "check/journal.h"
#include "check/run.h"
#include "io/disk.h"

namespace spillway {

// Some searches can store signatures instead of states in the visited set.  They are shorter, but
// two states may have the same signature, and then the second is omitted.
struct Signatures {
  unsigned bits = 0;  // at most 64; 0: full states
  std::uint64_t seed = 1;
};

// The resources of a search.
struct Means {
  Run& run;
  Budget& budget;
  Crew& crew;  // as many threads as the run has expanders
  Disk& disk;
  Signatures signatures = {};  // what the visited set may hold instead of states
  Journal* journal = nullptr;  // makes the search durable; the search resumes from it
};

class Search {
 public:
  explicit Search(Means means)
      : run(means.run),
        budget(means.budget),
        crew(means.crew),
        disk(means.disk),
        journal(means.journal) {}
  virtual ~Search() = default;

  // Returns once every reachable state has been expanded.  May throw Finished before.
  virtual void search() = 0;

  // States in the visited set.
  virtual std::uint64_t stored() const = 0;

  // For traces, after search() has returned or thrown Finished: calls visit(worker, state) for
  // exactly the states first found at `depth`, from all threads of the crew, in any order.
  virtual void each_at_depth(std::uint64_t depth,
                             const std::function<void(unsigned, State)>& visit) = 0;

  // To verify the visited set, after search() has returned: calls visit(state) for each state in
  // it, once, on one thread.  False if this search cannot enumerate them.
  virtual bool each_visited(const std::function<void(State)>& /*visit*/) { return false; }

  // For searches that may expand a state more than once, afterwards: the states of each level,
  // counted only where they were first found.  Digests are empty if the states are no longer known;
  // transitions are not set.
  virtual std::optional<std::vector<Level>> levels_once() { return std::nullopt; }

  // Adds states of the current level that the journal lacks.  Called before a checkpoint, and only
  // there or after search() has ended.
  virtual void complete_journal() {}

 protected:
  // To be called between two levels: makes a checkpoint if one is due.
  void between_levels() {
    if (journal == nullptr || !journal->due()) return;
    complete_journal();
    journal->commit(run);
  }

  Run& run;
  Budget& budget;
  Crew& crew;
  Disk& disk;
  Journal* const journal;
};

// A row of the table of algorithms.  The table itself is defined where all of them are known.
struct Algorithm {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Search> (*make)(Means means);
  bool uses_disk = false;
  const Algorithm* retrace = nullptr;  // finds counterexamples, if this one keeps no levels
  bool in_levels = true;               // false: all states count as one level
  bool signatures = false;             // supports them
  bool durable = false;                // keeps a journal if there is one
  // The least budget for rows of `words` words, with or without a journal; nullptr if any will do.
  std::uint64_t (*least_bytes)(std::size_t words, bool journal) = nullptr;
};

}  // namespace spillway
