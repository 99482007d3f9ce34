// Expands states, one Expander for each thread.  No search calls the model itself, so none needs to
// know about properties, failures or stop requests.  Counterexamples are made without it (trace.h).  What is expanded is counted in a Tally; which
// level it belongs to, if any, is the business of the search.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "check/facts/examiner.h"
#include "check/facts/statistics.h"
#include "check/session/findings.h"
#include "check/session/lookout.h"
#include "model/model.h"
#include "storage/parts/parted_rows.h"

namespace spillway {

class Expanders;

// Expands states in batches: successors accumulate until clear().  Views of them are valid until
// the next expand() or clear().  For one thread at a time.
//
// Its rows are those that the search stores.  If these are short (Expanders::use()), the model never
// sees one, and the search never sees a state.
class Expander {
 public:
  // Checks a state, counts it, and appends its successors to the batch; returns those.  May throw
  // Finished.
  States expand(State row);

  States batch() const { return rows_since(0); }
  std::size_t batch_size() const { return hand_ ? batch_.size() : successors_.size(); }
  void clear() {
    successors_.clear();
    batch_.clear();
  }
  // The acceptance sets of the step to a state of the batch.  REQUIRES: marks are wanted, the
  // model marks steps, and rows are whole.
  SetMask mark(std::size_t i) const { return successors_.mark(i); }
  void want_marks() { successors_.want_marks(true); }

  // Appends the successors of a state that was expanded before to a batch of their own, which the
  // caller clears.  Nothing is checked or counted.  REQUIRES: those were visited, too.
  void again(State row);
  Successors& repeated() { return repeated_; }

  // The state that a row of the search stands for.  Valid until the next call.
  State whole(State row) { return hand_ ? known(row) : row; }

  Expander(Expanders& all, unsigned worker);

 private:
  friend class Expanders;
  void look_up();
  void examine(State state);  // and appends its successors
  States rows_since(std::size_t first) const {
    return hand_ ? batch_.states(first) : successors_.states(first);
  }
  // Appends the rows of all successors to `out`, but those that wait; returns how many do.
  std::size_t shorten(Successors& out);
  State known(State row);

  Expanders& all_;
  const unsigned worker_;
  Examiner examiner_;
  Successors successors_;
  Successors repeated_;                   // of again()
  std::optional<PartedRows::Hand> hand_;  // if rows are short
  Successors batch_{1};                   // likewise
  std::atomic<bool> in_model_{false};     // executing the model; read by other threads
  Tally tally_;                           // since Expanders::take()
  // The states of it, updated now and then for other threads.
  std::atomic<std::uint64_t> expanded_{0};
  std::uint64_t total_ = 0;          // expanded in all
  std::uint64_t look_interval_ = 1;  // states between two looks at clock and signals
  std::uint64_t until_look_ = 1;     // of them
  double last_look_ = 0;
};

// Those of all threads of a check.
class Expanders {
 public:
  Expanders(const Model& model, Deadlock deadlock, unsigned threads, Lookout& lookout,
            Findings& findings, bool is_first = true);

  // The search has these rows instead of states.  REQUIRES: it has not begun.
  void use(std::shared_ptr<PartedRows> rows);
  const std::shared_ptr<PartedRows>& short_rows() const { return rows_; }
  std::size_t words() const { return rows_ ? rows_->words() : model_.words(); }  // of a row
  // Successors that could not be told before all of the level were known, in the batch of the first
  // expander, which is empty: some at a time, until there are none.  They are new states.  To be
  // called when all states of a level have been expanded, if the next one is wanted; and for the
  // initial states.  REQUIRES: no thread expands states.
  States late();

  Expander& operator[](unsigned worker) { return *expanders_[worker]; }
  unsigned size() const { return static_cast<unsigned>(expanders_.size()); }

  // The initial states, in the batch of the first expander; others are late.  May throw Finished.
  States initial();
  std::uint64_t initial_states() const { return initial_states_; }  // 0 before initial()

  // The number of steps from an initial state that is reported with what is found from now on.
  // REQUIRES: no thread expands states.
  void set_depth(std::uint64_t depth) { depth_ = depth; }

  // A cover property has held.  REQUIRES: no thread expands states.
  bool covered(PropertyIndex property) const;
  void set_covered(PropertyIndex property) { covered_[property].store(true); }

  // What all threads have expanded since the last call.  REQUIRES: no thread expands states.
  Tally take();
  // The same, left as it is.
  Tally tally() const;
  std::uint64_t total() const;  // states expanded in all.  REQUIRES: no thread expands states.

  // What was observed in the levels that take() has completed, and in those that were restored.
  // Levels that are expanded again for a counterexample do not count.
  const Observed& observed() const { return observed_; }
  // Continues an earlier search, in which this was observed.
  void restore(const Observed& earlier) { observed_ = earlier; }
  // What an earlier search has found in a state, looked at once more; std::nullopt if there is
  // nothing of the kind.  Nothing is counted.  REQUIRES: is_of_one_state(finding), and the row is
  // one of the model.
  std::optional<Finding> found_again(const Finding& finding) const;

  // For observers, from any thread.
  std::uint64_t expanded() const;  // since take(), approximately
  bool is_inside_model() const;    // at least one thread is

  // Marks this thread, as worker 0, as executing the model during the scope.
  class InModel {
   public:
    explicit InModel(Expanders& all) : flag_(all[0].in_model_) { flag_.store(true); }
    ~InModel() { flag_.store(false); }
    InModel(const InModel&) = delete;
    InModel& operator=(const InModel&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

 private:
  friend class Expander;

  const Model& model_;
  const Transitions& steps_;
  const Conditions& conditions_;
  const Deadlock deadlock_;
  Lookout& lookout_;
  Findings& findings_;
  const bool is_first_;  // of several ranks, which all make the initial states
  std::uint64_t depth_ = 0;
  std::uint64_t initial_states_ = 0;
  std::unique_ptr<std::atomic<bool>[]> covered_;
  Observed observed_;
  std::shared_ptr<PartedRows> rows_;  // nullptr: rows are states
  std::vector<std::unique_ptr<Expander>> expanders_;
};

}  // namespace spillway
