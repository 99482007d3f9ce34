// The functions that an analysis of a rule or property is in, and what is known in each of them.
//
// Each call has a number of its own, so that a local variable of one call is not taken for that of
// another.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"
#include "program/symmetry/accesses.h"

namespace spillway::program {

// Where in a body the analysis is.
struct Enclosing {
  const Body* body;
  std::size_t at;                // of the statement that is being looked at
  const Statement* repeated_by;  // a loop, if the body is that of one
};

struct Call {
  std::uint32_t number;
  const Frame* frame;
  const Function* function;  // nullptr: the rule or property itself
  std::vector<std::optional<Path>> references;
  std::vector<std::optional<Meaning>> values;
  std::set<SlotIndex> bound;    // aggregates that have a name, and never change
  std::set<SlotIndex> aliased;  // local variables that have another name
  std::vector<Enclosing> enclosing;

  bool owns(const Path& path) const { return !path.in_state && path.call == number; }

  // A local variable that each iteration of the loop with this body sets before any other use, and
  // that is not read after the loop.  The loop is the current statement.
  bool is_temporary(const Path& path, const Body* body) const;
  // Whether the slot is read after the current statement, before it is replaced.
  bool is_read_afterwards(SlotIndex slot) const;
};

class CallStack {
 public:
  CallStack(const Program& program, const Frame& frame) : program_(program) {
    calls_.push_back(prepare(frame, nullptr));
  }

  Call& top() { return calls_.back(); }
  const Call& top() const { return calls_.back(); }
  Call prepare(const Frame& frame, const Function* function);
  void enter(Call call) { calls_.push_back(std::move(call)); }
  void leave() { calls_.pop_back(); }
  bool is_in(const Function& function) const;

  // A symbol that is bound here, within so many loops.
  Meaning fresh();
  void enter_loop() { ++depth_; }
  void leave_loop() { --depth_; }
  bool is_bound_outside(Symbol symbol) const { return depths_[symbol] <= depth_; }

  std::optional<Meaning> known(const Expr& expr) const;
  // The step that an index is.
  PathPart part(const Expr& index) const;
  // The path to the variable or to what it refers to.
  Path root(const Place& place) const;
  std::string name(const Path& path) const;

 private:
  const Program& program_;
  std::vector<Call> calls_;
  std::uint32_t next_ = 1;
  std::vector<unsigned> depths_;  // of loops around the place where a symbol is bound
  unsigned depth_ = 0;
};

// Whether a function changes its own parameter, or passes it to one that may.
bool changes(const Function& function, SlotIndex slot);

}  // namespace spillway::program
