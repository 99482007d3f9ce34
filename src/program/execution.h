// Executes expressions and statements of a program, one after the other, on unpacked values.
//
// This is the reference for what a program means: short, checked, and slow.  The state, the frames
// of rules and functions, and the results of functions all live in one vector of scalars; a
// reference is a position in it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "program/program.h"

namespace spillway::program {

// The execution of a rule or property has failed.
struct Failed {
  Position position;
  std::string what;
  std::uint32_t assertion = kNoAssertion;
};
// Orders failures of one rule by which is reported: run-time errors before violated assertions,
// then by number and position.
bool graver(const Failed& a, const Failed& b);
// An assumption has discarded the successor under construction.
struct Discarded {
  std::uint32_t counter;  // of the statement
};

// Room for what is observed of an execution, as many as the program says; nullptr: nobody wants it.
struct ObservedRoom {
  std::uint64_t* counters = nullptr;
  std::uint8_t* marks = nullptr;
};

// Iterations of one loop_while, unless the program has a limit of its own.
inline constexpr std::uint64_t kMostTurns = std::uint64_t{1} << 20;
inline constexpr unsigned kDeepestCall = 400;
inline constexpr std::uint64_t kMostValues = std::uint64_t{1} << 26;  // of a range

// Shifts left by `by` bits, or right if `by` is negative.  Returns false if bits are lost.
[[nodiscard]] bool shift(Value a, Value by, Value& result);

class Execution {
 public:
  explicit Execution(const Program& program);

  // The scalars of the state, variable after variable.
  Value* state() { return memory_.data(); }
  const Value* state() const { return memory_.data(); }

  // Enters the frame of a rule or property with these values of its parameters, and binds its
  // aliases.  It replaces the current frame.  May throw Failed.
  void enter(const Header& header, const std::vector<Value>& arguments);

  // Both may throw Failed and Stopped; run() may throw Discarded as well.
  bool holds(const Expr& condition) { return scalar(condition) != 0; }
  void run(const Body& body) { execute(body); }

  Value scalar(const Expr& expr) {
    const Value value = unmarked_scalar(expr);
    if (expr.mark != kNoMark && value != 0) mark(expr.mark);
    return value;
  }
  void bind(SlotIndex slot, Value value) { memory_[slot_cell(slot)] = value; }
  // The values that a range takes, in order.
  std::vector<Value> values(const Range& range);
  // The name of a place, with the values of its indices.
  std::string text(const Place& place);
  const Frame& frame() const { return *now_.frame; }
  // If several iterations of an unordered loop fail, throws the gravest failure instead of the
  // first. REQUIRES: no iteration reads what another one writes, or it does not matter which
  // failure is thrown.
  void want_all_failures(bool wanted) { all_failures_ = wanted; }
  void mark_in(std::uint8_t* marks) { marks_ = marks; }

 private:
  enum class Flow { next, leave };
  using Cell = std::size_t;  // a position in memory_
  class Turns;
  // The rule, property or function that is being executed.
  struct Situation {
    Cell base = 0;  // of its frame
    Cell top = 0;   // the first cell after it
    const Frame* frame = nullptr;
    const std::vector<std::size_t>* offsets = nullptr;  // of its slots
    unsigned depth = 0;                                 // of calls
    Cell result = 0;                                    // of a function
    const Type* result_type = nullptr;
  };

  Flow execute(const Body& body);
  Flow execute(const Statement& statement);
  Flow loop_over(const Statement& loop);
  Flow loop_while(const Statement& loop);
  void assign(const Statement& statement);
  void mark(std::uint32_t mark) {
    if (marks_ != nullptr) marks_[mark] = 1;
  }
  void mark(const Statement& statement) {
    for (const std::uint32_t number : statement.marks) mark(number);
  }
  void mark_value(const Statement& statement, Value value);
  void store(Cell cell, const Type* type, Value value, const Expr& from, const std::string& to);
  void aggregate(const Expr& expr, std::vector<Value>& out);
  Value scalar_or_undefined(const Expr& expr);
  Value unmarked_scalar(const Expr& expr);
  Value arithmetic(const Expr& expr);
  Value quantified(const Expr& expr);
  Value bag_count(const Expr& expr);
  void bag_add(const Statement& statement);
  void bag_remove(const Statement& statement);
  void bag_remove_if(const Statement& statement);
  Cell call(const Expr& expr);  // returns where the result is, after leaving the frame
  void pass(const Argument& argument, const Slot& parameter, Cell cell, std::vector<Value>& copy);

  Cell place_cell(const Place& place);
  Cell step_into(const Type& type, const Selector& step, Cell cell, const Place& place,
                 const Type** next);
  Cell slot_cell(SlotIndex slot) const { return now_.base + now_.offsets->at(slot); }
  void undefine(Cell cell, const Type& type);  // back to the state before any assignment
  void enter_slots(const Frame& frame, std::size_t first);
  void clear(Cell cell, const Type& type);
  const std::vector<std::size_t>& offsets_of(const Frame& frame);
  [[noreturn]] void fail(Position position, std::string what) const;

  const Program& program_;
  std::size_t state_cells_ = 0;
  std::vector<std::size_t> variable_cells_;
  std::vector<Value> memory_;
  Situation now_;
  std::unordered_map<const Frame*, std::vector<std::size_t>> known_offsets_;
  bool all_failures_ = false;
  std::uint8_t* marks_ = nullptr;  // may be missing
};

}  // namespace spillway::program
