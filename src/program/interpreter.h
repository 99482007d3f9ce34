// The reference: computes initial states, successors and properties of a program by executing it
// statement by statement.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/set_mask.h"
#include "program/bags.h"
#include "program/execution.h"
#include "program/layout.h"
#include "program/program.h"

namespace spillway::program {

// Identifies an instance of a rule.  All instances of all rules are numbered, starts first.
using InstanceIndex = std::uint32_t;
inline constexpr InstanceIndex kNoInstance = 0xffffffff;

// Numbers the instances of all starts and rules.
class Instances {
 public:
  explicit Instances(const Program& program);  // Throws Error(model) if there are too many.

  struct Instance {
    const Rule* rule;
    std::uint64_t number;  // among the instances of the rule
    bool start;
  };
  InstanceIndex count() const { return first_.back(); }
  Instance at(InstanceIndex index) const;
  InstanceIndex first_of_start(std::size_t start) const { return first_[start]; }
  InstanceIndex first_of_rule(std::size_t rule) const {
    return first_[program_.starts.size() + rule];
  }
  // Its name, and the values of its parameters: "enter, p:Proc_1".
  std::string name(InstanceIndex index) const;

 private:
  const Program& program_;
  std::vector<InstanceIndex> first_;  // of each start, of each rule, and the end
};

struct Failure {
  InstanceIndex instance = kNoInstance;
  Failed failed;
};

// Every function that executes the program may throw Stopped (base/process/stop_request.h).
class Interpreter {
 public:
  explicit Interpreter(const Program& program);

  const Layout& layout() const { return layout_; }
  const Instances& instances() const { return instances_; }

  using Sink = std::function<void(const Word*, InstanceIndex)>;
  // Calls `sink` for each initial state or successor, in the order of the instances.  Stops at the
  // first failure and returns it.
  std::optional<Failure> initial(const Sink& sink);
  std::optional<Failure> successors(State state, const Sink& sink);
  // The failure to report for a state (nullptr: for the starts) in which a rule fails: the gravest
  // one of the first rule that fails.  States that differ only in the names of identities report
  // the same failure.
  std::optional<Failure> gravest_failure(const State* state);
  // Where what is observed is noted from now on.  REQUIRES: room for what the program observes.
  void observe_in(ObservedRoom room) {
    room_ = room;
    execution_.mark_in(room.marks);
  }
  // Whether assumptions have discarded something in initial() or successors() since the last call.
  bool left_out() { return std::exchange(left_out_, false); }

  // Whether a property's condition holds in a state in all its instances; for a cover or reachable
  // property, in some instance.  A condition that cannot be evaluated does not hold.
  bool holds(const Property& property, State state);

  bool accepting(State state);
  // Bit i is set if proposition i holds.  If some cannot be evaluated, `failed` is the first of
  // them, and its bit is not set.
  struct FailedProposition {
    std::size_t proposition;
    Failed failed;
  };
  Letter letter(State state, std::optional<FailedProposition>& failed);
  // Empty if failures end the search.
  const std::vector<Word>& failure_row() const { return failure_row_; }

  // Explains why the property does not hold: the values of parameters and quantifiers, and the
  // position of the part that is false, which is put in `where` as well.
  std::string why_not(const Property& property, State state, Position& where);

 private:
  void load(State state);
  // Executes an instance on the loaded state and passes its successor to `sink`.
  // Returns the counter of the assumption that excludes it, if one does.
  std::optional<std::uint32_t> execute(const Rule& rule, std::uint64_t number, InstanceIndex index,
                                       const Sink& sink);
  // Executes all instances of the rules, which are numbered from `index` on.  `first` is the number
  // of the first rule.
  std::optional<Failure> execute_all(const std::vector<Rule>& rules, std::size_t first,
                                     InstanceIndex index, const Sink& sink);
  // An instance of the rule has made a successor, or an assumption has excluded it.
  void count_successor(std::size_t rule) {
    if (room_.counters != nullptr) ++room_.counters[rule];
  }
  void count_cut(std::size_t rule, std::uint32_t assumption);
  // The counter of the first assumption that does not hold.
  std::optional<std::uint32_t> excluding_assumption();
  bool holds_now(const Property& property, std::uint64_t instance);
  std::string blame(const Expr& condition, Position& where);

  const Program& program_;
  Layout layout_;
  Instances instances_;
  std::vector<PackedBag> bags_;
  Execution execution_;
  std::vector<Value> loaded_;
  std::vector<Word> row_;
  std::vector<Word> failure_row_;
  bool left_out_ = false;
  ObservedRoom room_;
};

}  // namespace spillway::program
