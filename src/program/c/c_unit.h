// State shared by all parts that write the generated C text.
#pragma once

#include <string>
#include <vector>

#include "program/c/c_function.h"
#include "program/c/c_tables.h"
#include "program/discarding.h"
#include "program/interpreter.h"
#include "program/layout.h"
#include "program/program.h"
#include "program/work.h"

namespace spillway::program {

struct CUnit {
  explicit CUnit(const Program& of);

  // Writes the code of a rule, property or function with this frame.
  CFunction function(const Frame& frame) { return {program, layout, tables, work, frame}; }
  // The most steps that one instance of a property takes.
  std::uint64_t steps_of(const Property& property);
  bool observes() const { return program.counters != 0; }
  std::size_t all_rules() const { return program.starts.size() + program.rules.size(); }

  // Throws Error(model) if local variables take more than `most` bytes of the stack of a thread,
  // which has a few megabytes.
  void examine_locals(const std::string& name, Position position, const Frame& frame,
                      std::uint64_t most = kStack) const;
  static constexpr std::uint64_t kStack = std::uint64_t{2} << 20;

  const Program& program;
  const Layout layout;
  const Instances instances;
  const Discarding discarding;
  Work work;
  CTables tables;
  std::vector<bool> recursive;  // functions that can call themselves
  bool discards = false;        // some rule or function may discard its successor
};

}  // namespace spillway::program
