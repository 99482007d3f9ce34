// The functions that an analysis of a rule or property is in, and what is known in each of them.
//
// Each call has a number of its own, so that a local variable of one call is not taken for that of
// another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "program/symmetry/accesses.h"
#include "program/symmetry/locals.h"

namespace spillway::program {

struct Call {
  std::uint32_t number;
  const Frame* frame;
  const Function* function;  // nullptr: the rule or property itself
  std::vector<std::optional<Path>> references;
  std::vector<std::optional<Meaning>> values;
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

  // A symbol that is bound here, within so many loops.  A value that may be undefined is a symbol,
  // too.
  enum class Defined { surely, perhaps };
  Meaning fresh(Defined defined);
  void enter_loop() { ++depth_; }
  void leave_loop() { --depth_; }
  bool is_bound_outside(Symbol symbol) const { return symbols_[symbol].depth <= depth_; }
  bool is_defined(Symbol symbol) const { return symbols_[symbol].defined == Defined::surely; }

  // The path to the variable or to what it refers to.
  Path root(const Place& place) const;
  // The path to the result of the function at the top.
  Path result() const { return {false, top().number, result_slot(top()), {}}; }
  // REQUIRES for all below: paths to local variables of calls on the stack, or to their results.
  const Type& type(const Path& path) const;
  std::vector<Path> cells(const Path& path) const;
  // Wherever the path leads to in other turns of the loop that the analysis is in: any element of a
  // small array, if the index may be another one.
  std::vector<Path> cells_in_any_turn(const Path& path) const;
  // What the place is if it is undefined as a whole.
  Content undefined(const Path& path) const;
  std::string name(const Path& path) const;

 private:
  const Program& program_;
  struct Bound {
    unsigned depth;  // of loops around the place where it is bound
    Defined defined;
  };

  static std::uint32_t result_slot(const Call& call) {
    return static_cast<std::uint32_t>(call.frame->size());
  }
  const Call* call(std::uint32_t number) const;

  std::vector<Call> calls_;
  std::uint32_t next_ = 1;
  std::vector<Bound> symbols_;
  unsigned depth_ = 0;
};

// Whether a function changes its own parameter, or passes it to one that may.
bool changes(const Function& function, SlotIndex slot);

}  // namespace spillway::program
