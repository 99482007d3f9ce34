// One check of one model.  Every search holds a Run and expands states only through it, so that no search
// has to know about properties, limits, signals or statistics.
//
// Levels.  A search expands all states of a level, on as many threads as it likes, and then calls
// end_level().  What is found wrong in a level is kept until then, so that what is reported does not depend
// on the order in which the states of the level were looked at.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "model/model.h"
#include "run/finding.h"
#include "run/limits.h"
#include "run/statistics.h"

namespace spillway {

// Thrown by Run alone: there is nothing more to search.  Run knows why.  check() catches it, and a
// search that ends one way of searching and continues with another.
struct Finished {};

// What a run has to say while it goes on.
struct Progress {
  bool level_done = false;  // otherwise: in the midst of it
  std::uint64_t level = 0;
  std::uint64_t level_states = 0;  // in this level
  std::uint64_t expanded = 0;      // of them
  std::uint64_t next_states = 0;   // in the next level, once this one is done
  std::uint64_t states = 0;        // in all levels up to this one
  std::uint64_t transitions = 0;   // out of the levels that are done
  double seconds = 0;
  std::uint64_t earlier_states = 0;  // expanded by the runs that this one goes on from
};
using Observer = std::function<void(const Progress&)>;

class Run {
 public:
  struct Options {
    Limits limits;
    Deadlock deadlock = Deadlock::off;
    unsigned threads = 1;
    std::uint64_t most_goal_states = kUnlimited;  // with more, properties that all states decide cannot be decided
    Observer observer;                            // called by worker 0 only; may be empty
    double observe_seconds = 1;                   // between two calls in the midst of a level
    std::function<void(const std::string&)> announcer;  // what happens once, in a sentence; may be empty
  };

  Run(const Model& model, Options options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const Model& model() const { return model_; }
  unsigned threads() const { return options_.threads; }

  // One per thread.  Expands states in batches: successors stay valid until the next clear().
  class Expander {
   public:
    // Checks a state, counts it, and appends its successors to the batch; returns those.
    // May throw Finished.
    States expand(State state);

    States batch() const { return successors_.states(); }
    std::size_t batch_size() const { return successors_.size(); }
    void clear() { successors_.clear(); }

    Expander(Run& run, unsigned worker);

   private:
    friend class Run;
    void look_up();
    void execute(State state);  // checks it, and adds its successors to the batch
    void note(PropertyIndex property, State state);
    void keep(FindingKind kind, PropertyIndex property, State state, const std::optional<Failure>& failure);

    Run& run_;
    const unsigned worker_;
    Successors successors_;
    std::vector<PropertyIndex> noted_;
    std::atomic<bool> in_model_{false};       // executing the model just now, for others to read
    Level level_;                             // of what this thread has expanded in the current level
    std::atomic<std::uint64_t> expanded_{0};  // the same, for others to read now and then
    std::uint64_t total_ = 0;                 // expanded in all levels
    std::uint64_t look_interval_ = 1;         // states from one look at clock and signals to the next
    std::uint64_t until_look_ = 1;            // of them
    double last_look_ = 0;
  };
  Expander& expander(unsigned worker) { return *expanders_[worker]; }

  // Goes on where an earlier run had got to: these levels are done, of these properties it is known that they have
  // been, and the current level, behind them, has `level_states` states.  Instead of initial() and begin().  May throw
  // Finished.
  void restore(const std::vector<Level>& levels, std::uint64_t level_states, const std::vector<std::uint64_t>& covered,
               double seconds);

  // The initial states; the current level is level 0 now.  May throw Finished.
  States initial();

  // All `states` states of level 0 have been stored; call it before expanding them.  May throw Finished.
  void begin(std::uint64_t states);

  // All states of the current level have been expanded and `next_states` new ones were stored; the
  // current level is the next one now.  Throws Finished when there is a reason not to go on.
  void end_level(std::uint64_t next_states);

  // The search cannot or need not store any more of the states it is given, because of `why`.  It goes on
  // expanding the current level, so that everything wrong in it is found, and end_level() will not return.
  void cannot_store(Stop why);
  // The search has stored so many states; call it now and then, not for each of them.
  void have_stored(std::uint64_t states) {
    if (states > options_.limits.max_states) cannot_store(Stop::states);
    if (states > options_.most_goal_states) cannot_store(Stop::goals);
  }
  // Successors need not be stored any more.
  bool discarding() const { return discarding_.load(std::memory_order_relaxed); }

  // Something that a user should know.  From one thread.
  void announce(const std::string& sentence) const {
    if (options_.announcer) options_.announcer(sentence);
  }

  // For what is decided when all states are known. -------------------------------------------------------
  void found(Finding finding) { keep(std::move(finding)); }
  bool covered(PropertyIndex property) const { return covered_[property].load(); }  // a cover property has held
  [[noreturn]] void give_up(Stop why) { finish(why); }
  void note_stop(Stop why);       // why it is not decided: something was stopped that does not know this run
  void look_up() { look_up(0); }  // at clock and signals, from one thread at a time; may throw Finished

  // For others to look on, from any thread, while it goes on. ----------------------------------------------
  Progress progress() const;
  // While one of these lives, the thread that has made it executes the model.
  class InModel {
   public:
    explicit InModel(Run& run) : run_(run) { run_.expander(0).in_model_.store(true); }
    ~InModel() { run_.expander(0).in_model_.store(false); }
    InModel(const InModel&) = delete;
    InModel& operator=(const InModel&) = delete;

   private:
    Run& run_;
  };
  bool is_inside_model() const;        // some thread is
  Statistics finished_levels() const;  // and what is known of the level that is not finished

  // Afterwards. ----------------------------------------------------------------------------------------
  void close();                                                       // no thread expands any more
  const std::vector<Finding>& findings() const { return findings_; }  // by kind and property
  std::optional<Stop> stop() const { return stop_; }
  std::uint64_t expansions() const;  // in all levels, finished or not
  const Statistics& statistics() const { return statistics_; }
  Statistics& statistics() { return statistics_; }
  double seconds() const;
  double earlier_seconds() const { return earlier_seconds_; }  // of the runs that this one goes on from
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
  const bool has_conditions_;  // properties that check() tells of
  std::unique_ptr<std::atomic<bool>[]> covered_;
  std::vector<std::unique_ptr<Expander>> expanders_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double earlier_seconds_ = 0;
  std::uint64_t earlier_states_ = 0;
  double observed_ = 0;                // seconds at the last call of the observer
  mutable std::mutex progress_mutex_;  // for level_states_ and statistics_, which one thread writes and others look at
  std::uint64_t level_states_ = 0;
  std::atomic<bool> discarding_{false};
  std::atomic<int> refused_{-1};  // the first reason given to cannot_store()
  std::mutex findings_mutex_;
  std::vector<Finding> findings_;
  std::optional<Stop> stop_;
  Statistics statistics_;
};

}  // namespace spillway
