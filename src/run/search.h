// What all searches have in common, and the list of those there are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/crew.h"
#include "io/disk.h"
#include "run/journal.h"
#include "run/run.h"

namespace spillway {

// Visited sets of some searches may hold signatures instead of states: shorter, but two states may have the same one,
// and then the second is omitted.
struct Signatures {
  unsigned bits = 0;  // at most 64; 0: whole states
  std::uint64_t seed = 1;
};

// What a search works with.
struct Means {
  Run& run;
  Budget& budget;
  Crew& crew;  // as many threads as the run has expanders
  Disk& disk;
  Signatures signatures = {};  // what the visited set may hold instead of states
  Journal* journal = nullptr;  // keeps the search from being lost; it goes on from what is in there
};

class Search {
 public:
  explicit Search(Means means)
      : run(means.run), budget(means.budget), crew(means.crew), disk(means.disk), journal(means.journal) {}
  virtual ~Search() = default;

  // Returns once every reachable state has been expanded; may throw Finished before.
  virtual void search() = 0;

  // States in the visited set.
  virtual std::uint64_t stored() const = 0;

  // For traces, after search() has ended one way or the other: calls visit(worker, state) for exactly the
  // states first met at `depth`, from all threads of the crew, in any order.
  virtual void each_at_depth(std::uint64_t depth, const std::function<void(unsigned, State)>& visit) = 0;

  // To verify the visited set after search() has returned: calls visit(state) for all states in it, each once, on one
  // thread.  False: this search cannot tell.
  virtual bool each_visited(const std::function<void(State)>& /*visit*/) { return false; }

  // Of a search that may expand a state more than once, afterwards: the states of each level, counted only where they
  // were first met.  Digests are empty when it does not know the states any more; transitions are not set.
  virtual std::optional<std::vector<Level>> levels_once() { return std::nullopt; }

  // Before a checkpoint, and only there or after search() has ended: puts states of the current level that the journal
  // does not have into it.
  virtual void complete_journal() {}

 protected:
  // To be called between two levels: makes a checkpoint when it is time for one.
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

// A row of the table of algorithms; the table itself is made where all of them are known.
struct Algorithm {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Search> (*make)(Means means);
  bool uses_disk = false;
  const Algorithm* retrace = nullptr;  // keeps no levels: this search finds the counterexamples
  bool in_levels = true;               // otherwise all states count as one level
  bool signatures = false;             // can do with them
  bool durable = false;                // keeps a journal if there is one
  // The least budget for rows of so many words, with a journal or without; nothing: a little is enough.
  std::uint64_t (*least_bytes)(std::size_t words, bool journal) = nullptr;
};

}  // namespace spillway
