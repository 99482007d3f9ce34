// Strict levels: what a breadth-first search owes to its accounts.
//
// A search expands all states of a level, on any number of threads, and then calls end_level().
// What is found in a level is held back until then, so that the report does not depend on the order
// in which its states were expanded.  Searches that do not go by levels do not use this.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "check/facts/limits.h"
#include "check/facts/statistics.h"
#include "check/ranks/cluster.h"
#include "check/session/expander.h"
#include "check/session/findings.h"
#include "check/session/lookout.h"

namespace spillway {

class LevelAccounts {
 public:
  struct Bounds {
    std::uint64_t depth = kUnlimited;
    std::uint64_t states = kUnlimited;
    // With more states, properties that depend on all states cannot be decided.
    std::uint64_t goal_states = kUnlimited;
    std::uint64_t errors = 1;  // properties that are violated when the search ends
  };
  LevelAccounts(const Model& model, const Bounds& bounds, Expanders& expanders, Findings& findings,
                Lookout& lookout, Cluster& cluster);

  // With several ranks, all of them call begin(), restore() and end_level() with what each of them
  // has, and then know what all of them have.

  // To be called once all `states` states of level 0 are stored, before they are expanded.  May
  // throw Finished.
  void begin(std::uint64_t states);

  // Continues an earlier search: `levels` are complete, and the next one has `level_states` states.
  // Replaces begin().  May throw Finished.
  void restore(const std::vector<Level>& levels, std::uint64_t level_states);

  // To be called once all states of the current level are expanded and `next_states` new ones are
  // stored.  Makes the next level the current one.  Throws Finished if the search is to stop.
  void end_level(std::uint64_t next_states);

  // To be called before the states of the current level are expanded.  The model may change how it
  // is executed.  May throw Finished.  REQUIRES: no thread executes the model.
  void start_level();

  // Declares that successors are no longer stored, because of `why`.  The search still expands the
  // current level, so that all its violations are found; end_level() will then throw Finished.
  void cannot_store(Stop why);
  // Reports the number of states stored.  To be called now and then, not for each state.
  void have_stored(std::uint64_t states) {
    if (states > bounds_.states) cannot_store(Stop::states);
    if (states > bounds_.goal_states) cannot_store(Stop::goals);
  }
  // True if successors need not be stored any more.
  bool discarding() const {
    return refused_.load(std::memory_order_relaxed) != kNone || has_found_enough();
  }

  // Of the completed levels; after close(), with what is known of an unfinished one.
  const Statistics& counts() const { return counts_; }
  // REQUIRES: no thread expands states any more.
  void close();
  std::uint64_t level_states() const { return level_states_; }  // in the current level
  std::uint64_t own_states() const { return own_states_; }      // of them, on this rank
  // In the completed levels and the current one.
  std::uint64_t states_so_far() const { return counts_.states + level_states_; }
  // What this rank has expanded in the completed levels.
  const std::vector<Level>& own_levels() const { return own_levels_.among(counts_.levels); }
  std::uint64_t earlier_states() const { return earlier_states_; }  // that were restored

  // For observers, from any thread, while states are expanded.
  Progress progress() const;
  Statistics so_far() const;  // completed levels, plus what is known of the current one

 private:
  static constexpr int kNone = -1;

  LevelAccount agree(const LevelAccount& own);
  void look_at_bounds();
  bool has_found_enough() const { return findings_.size() >= bounds_.errors; }
  void choose_examined() const;
  void set_own_states(std::uint64_t states);
  void set_level_states(std::uint64_t states);
  std::uint64_t expanded() const;  // by all ranks; REQUIRES: mutex_ is held

  const Model& model_;
  const Bounds bounds_;
  Expanders& expanders_;
  Findings& findings_;
  Lookout& lookout_;
  Cluster& cluster_;
  std::uint64_t own_states_ = 0;    // of the current level
  std::uint64_t own_expanded_ = 0;  // in the completed levels
  OwnLevels own_levels_{cluster_};
  std::uint64_t earlier_states_ = 0;
  // Guards own_states_, level_states_ and counts_, which one thread writes and others read.
  mutable std::mutex mutex_;
  std::uint64_t level_states_ = 0;
  Statistics counts_;
  std::atomic<int> refused_{kNone};  // the first reason given to cannot_store()
};

}  // namespace spillway
