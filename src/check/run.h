// One check of one model.  A search expands states only through its Run, so no search needs to know
// about properties, limits, signals or statistics.
//
// Levels.  A search expands all states of a level, on any number of threads, and then calls
// end_level().  Findings of a level are held back until then, so that the report does not depend on
// the order in which its states were expanded.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "check/finding.h"
#include "check/limits.h"
#include "check/statistics.h"
#include "model/model.h"

namespace spillway {

// Thrown only by Run: the search is over, and Run knows why.  Caught by check(), and by a search
// that ends one phase and continues with another.
struct Finished {};

// The progress of a run.
struct Progress {
  bool level_done = false;  // false: within the level
  std::uint64_t level = 0;
  std::uint64_t level_states = 0;  // in this level
  std::uint64_t expanded = 0;      // of them
  std::uint64_t next_states = 0;   // in the next level, if level_done
  std::uint64_t states = 0;        // in all levels up to this one
  std::uint64_t transitions = 0;   // out of the completed levels
  double seconds = 0;
  std::uint64_t earlier_states = 0;  // expanded by the runs that this one resumes
};
using Observer = std::function<void(const Progress&)>;

class Run {
 public:
  struct Options {
    Limits limits;
    Deadlock deadlock = Deadlock::off;
    unsigned threads = 1;
    // With more states, properties that depend on all states cannot be decided.
    std::uint64_t most_goal_states = kUnlimited;
    Observer observer;           // called by worker 0 only; may be empty
    double observe_seconds = 1;  // between two calls within a level
    // Receives one-off events, one sentence each; may be empty.
    std::function<void(const std::string&)> announcer;
  };

  Run(const Model& model, Options options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const Model& model() const { return model_; }
  unsigned threads() const { return options_.threads; }

  // One per thread.  Expands states in batches: successors accumulate until clear().  Views of them
  // are valid until the next expand() or clear().
  class Expander {
   public:
    // Checks a state, counts it, and appends its successors to the batch; returns those.  May throw
    // Finished.
    States expand(State state);

    States batch() const { return successors_.states(); }
    std::size_t batch_size() const { return successors_.size(); }
    void clear() { successors_.clear(); }

    Expander(Run& run, unsigned worker);

   private:
    friend class Run;
    void look_up();
    void execute(State state);  // checks the state and appends its successors
    void note(PropertyIndex property, State state);
    void keep(FindingKind kind, PropertyIndex property, State state,
              const std::optional<Failure>& failure);

    Run& run_;
    const unsigned worker_;
    Successors successors_;
    std::vector<PropertyIndex> noted_;
    std::atomic<bool> in_model_{false};       // executing the model; read by other threads
    Level level_;                             // what this thread has expanded in the current level
    std::atomic<std::uint64_t> expanded_{0};  // same, updated now and then for other threads
    std::uint64_t total_ = 0;                 // expanded in all levels
    std::uint64_t look_interval_ = 1;         // states between two looks at clock and signals
    std::uint64_t until_look_ = 1;            // of them
    double last_look_ = 0;
  };
  Expander& expander(unsigned worker) { return *expanders_[worker]; }

  // Resumes an earlier check: `levels` are complete, the cover properties in `covered` have held,
  // and the next level has `level_states` states.  Replaces initial() and begin().  May throw
  // Finished, and Error(integrity) for an unknown property.
  void restore(const std::vector<Level>& levels, std::uint64_t level_states,
               const std::vector<std::uint64_t>& covered, double seconds);

  // The initial states; level 0 becomes the current level.  May throw Finished.
  States initial();

  // To be called once all `states` states of level 0 are stored, before they are expanded.  May
  // throw Finished.
  void begin(std::uint64_t states);

  // To be called once all states of the current level are expanded and `next_states` new ones are
  // stored.  Makes the next level the current one.  Throws Finished if the search is to stop.
  void end_level(std::uint64_t next_states);

  // Declares that successors are no longer stored, because of `why`.  The search still expands the
  // current level, so that all its violations are found; end_level() will then throw Finished.
  void cannot_store(Stop why);
  // Reports the number of states stored.  To be called now and then, not for each state.
  void have_stored(std::uint64_t states) {
    if (states > options_.limits.max_states) cannot_store(Stop::states);
    if (states > options_.most_goal_states) cannot_store(Stop::goals);
  }
  // True if successors need not be stored any more.
  bool discarding() const { return discarding_.load(std::memory_order_relaxed); }

  // Reports something to the user.  One thread at a time.
  void announce(const std::string& sentence) const {
    if (options_.announcer) options_.announcer(sentence);
  }

  // For properties that are decided once all states are known ------------------------------------
  void found(Finding finding) { keep(std::move(finding)); }
  // A cover property has held.
  bool covered(PropertyIndex property) const { return covered_[property].load(); }
  [[noreturn]] void give_up(Stop why) { finish(why); }
  // Records why they stay undecided, when work that does not know this run was stopped.
  void note_stop(Stop why);
  // Polls clock and signals.  One thread at a time.  May throw Finished.
  void look_up() { look_up(0); }

  // For observers, from any thread, while the run is active --------------------------------------
  Progress progress() const;
  // Marks this thread, as worker 0, as executing the model during the scope.
  class InModel {
   public:
    explicit InModel(Run& run) : run_(run) { run_.expander(0).in_model_.store(true); }
    ~InModel() { run_.expander(0).in_model_.store(false); }
    InModel(const InModel&) = delete;
    InModel& operator=(const InModel&) = delete;

   private:
    Run& run_;
  };
  bool is_inside_model() const;        // at least one thread is
  Statistics finished_levels() const;  // plus what is known of the current level

  // Afterwards -----------------------------------------------------------------------------------
  // REQUIRES: no thread expands states any more.
  void close();
  const std::vector<Finding>& findings() const { return findings_; }  // by kind and property
  std::optional<Stop> stop() const { return stop_; }
  std::uint64_t expansions() const;  // in all levels, finished or not, including earlier runs
  const Statistics& statistics() const { return statistics_; }
  Statistics& statistics() { return statistics_; }
  double seconds() const;
  // Of the runs that this one resumes.
  double earlier_seconds() const { return earlier_seconds_; }
  std::uint64_t earlier_states() const { return earlier_states_; }
  std::uint64_t level_states() const { return level_states_; }  // in the current level

 private:
  void look_up(unsigned worker);
  void look_at_bounds();
  void choose_examined() const;
  void keep(Finding finding);
  [[noreturn]] void finish(std::optional<Stop> why);
  std::uint64_t expanded_so_far() const;
  void set_level_states(std::uint64_t states);

  const Model& model_;
  const Options options_;
  const bool has_conditions_;  // check() is needed: there are invariants or cover properties
  std::unique_ptr<std::atomic<bool>[]> covered_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double earlier_seconds_ = 0;
  std::uint64_t earlier_states_ = 0;
  double observed_ = 0;  // seconds at the last call of the observer
  // Guards level_states_ and statistics_, which one thread writes and others read.
  mutable std::mutex progress_mutex_;
  std::uint64_t level_states_ = 0;
  std::atomic<bool> discarding_{false};
  std::atomic<int> refused_{-1};  // the first reason given to cannot_store()
  std::mutex findings_mutex_;
  std::vector<Finding> findings_;
  std::optional<Stop> stop_;
  Statistics statistics_;
};

}  // namespace spillway
