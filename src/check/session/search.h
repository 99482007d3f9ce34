// The interface of all searches, and of the table of algorithms.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/facts/verdict.h"
#include "check/session/checkpoints.h"
#include "check/session/session.h"
#include "io/data/disk.h"

namespace spillway {

// Some searches can store signatures instead of states in the visited set.  They are shorter, but
// two states may have the same signature, and then the second is omitted.
struct Signatures {
  unsigned bits = 0;  // at most 64; 0: full states
  std::uint64_t seed = 1;
};

// What a search works with.
struct SearchContext {
  Session& session;
  Budget& budget;
  Crew& crew;  // as many threads as the session has expanders
  Disk& disk;
  Signatures signatures = {};  // what the visited set may hold instead of states
  Checkpoints& checkpoints = Checkpoints::none();  // from which the search resumes
  // The model has an acceptance property, and it is to be decided.
  bool with_acceptance = false;
  bool hash_on_disk = false;  // where a search that uses a perfect hash keeps it
  bool minimal = false;       // a way to an accepting cycle is to be a shortest one, with the cycle
};

// Reads the levels of a search again, after search() has returned or thrown Finished.
class LevelReader {
 public:
  virtual ~LevelReader() = default;
  // Calls visit(worker, state) for exactly the states first found at `depth`, from all threads of
  // the crew, in any order.
  virtual void each_at_depth(std::uint64_t depth,
                             const std::function<void(unsigned, State)>& visit) = 0;
};

class Search {
 public:
  explicit Search(const SearchContext& context)
      : session(context.session),
        model(session.model),
        lookout(session.lookout),
        expanders(session.expanders),
        budget(context.budget),
        crew(context.crew),
        disk(context.disk),
        checkpoints(context.checkpoints) {}
  virtual ~Search() = default;

  // Returns once every reachable state has been expanded.  May throw Finished before.
  virtual void search() = 0;

  // Afterwards
  // -------------------------------------------------------------------------------------

  // States in the visited set.
  virtual std::uint64_t stored() const = 0;

  // What must hold before the search may be called complete, and whether it does.
  virtual std::vector<Obligation> obligations() const {
    return every_state_expanded(stored_everywhere(), session.expansions());
  }

  // What was counted, with figures of its own.
  virtual Statistics statistics() const {
    Statistics counts;
    counts.add(expanders.tally());
    return counts;
  }

  // The same, of this rank.
  virtual Statistics own_statistics() const { return statistics(); }

  // For traces; nullptr if this search keeps no levels.
  virtual LevelReader* level_reader() { return nullptr; }

  // Whether it reports an accepting cycle itself, if there is one.  Otherwise that takes another
  // look at all states.
  virtual bool decides_acceptance() const { return false; }

  // To verify the visited set, after search() has returned: calls visit(state) for each state in
  // it, once, on one thread.  False if this search cannot enumerate them.
  virtual bool each_visited(const std::function<void(State)>& /*visit*/) { return false; }

  // For searches that may expand a state more than once: the states of each level, counted only
  // where they were first found.  Digests are empty if the states are no longer known; transitions
  // are not set.
  virtual std::optional<std::vector<Level>> levels_once() { return std::nullopt; }

  // The visited set is no longer needed, only levels.
  virtual void free_visited() {}

  // Keeps the states of the current level that were not kept so far.  Called before a checkpoint,
  // and only there or after search() has ended.
  virtual void complete_level() {}

 protected:
  // By all ranks.  They add it up.
  std::uint64_t stored_everywhere() const { return session.cluster.sum(stored()); }

  Session& session;
  const Model& model;
  Lookout& lookout;
  Expanders& expanders;
  Budget& budget;
  Crew& crew;
  Disk& disk;
  Checkpoints& checkpoints;
};

// A search by strict levels.
class LevelSearch : public Search {
 public:
  explicit LevelSearch(const SearchContext& context) : Search(context), levels(session.levels) {}

  std::vector<Obligation> obligations() const override {
    std::vector<Obligation> all = Search::obligations();
    std::uint64_t counted = 0;
    for (const Level& level : levels.counts().levels) counted += level.states;
    all.push_back(levels_add_up(counted, session.expansions()));
    return all;
  }
  Statistics statistics() const override { return levels.counts(); }
  Statistics own_statistics() const override {
    Statistics own;
    for (const Level& level : levels.own_levels()) own.add(level);
    return own;
  }

 protected:
  // To be called between two levels: makes a checkpoint if one is due.
  void between_levels() {
    if (!checkpoints.due(session)) return;
    complete_level();
    const InPhase saving(session.lookout, Phase::saving);
    checkpoints.commit(session);
  }

  LevelAccounts& levels;
};

// A row of the table of algorithms.  The table itself is defined where all of them are known.
using MakeSearch = std::unique_ptr<Search> (*)(const SearchContext& context);
struct Algorithm {
  std::string_view name;
  std::string_view summary;
  MakeSearch states;            // visits all states
  MakeSearch cycles = nullptr;  // looks for accepting cycles, too; nullptr: `states` leaves that
  // All that it adds to the others is `cycles`: a model without acceptance is better searched by
  // another one.
  bool is_for_cycles = false;
  bool uses_disk = false;
  const Algorithm* retrace = nullptr;  // finds counterexamples, if this one keeps no levels
  bool in_levels = true;               // false: all states count as one level
  bool signatures = false;             // supports them
  bool durable = false;                // keeps a journal if there is one
  // The least budget for rows of `words` words, with or without a journal; nullptr if any will do.
  std::uint64_t (*least_bytes)(std::size_t words, bool journal) = nullptr;
  bool minimal = false;  // can find a shortest way to an accepting cycle, with the cycle
  const Algorithm* on_ranks = nullptr;  // what several ranks share instead; nullptr: they cannot
  // States of so many words are wide: it stores short rows instead, as the expanders of the session
  // give them.  0: it does not.
  std::size_t wide_words = 0;

  std::unique_ptr<Search> make(const SearchContext& context) const {
    return context.with_acceptance && cycles != nullptr ? cycles(context) : states(context);
  }
  bool may_use_disk() const { return uses_disk || (retrace != nullptr && retrace->uses_disk); }
};

}  // namespace spillway
