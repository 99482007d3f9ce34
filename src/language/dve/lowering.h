// Checks the tree of a model and builds the program from it.  Each part of the lowering is a class
// that knows only the parts below it: Scope, expressions, processes, steps, rules.
#pragma once

#include <string>

#include "language/dve/rule_lowering.h"

namespace spillway::dve {

class Lowering : RuleLowering {
 public:
  Lowering(Source& source, const DveOptions& options, ReadProgram& out)
      : RuleLowering(source, options, out) {}

  // Notes errors in the source.  If there are any, the program must not be used.
  void run(const ModelNode& model);
  // Lowers the system without its property process.  REQUIRES: run() of another Lowering has
  // accepted the model.
  void run_without_property(const ModelNode& model);
  // Adds a proposition to the program.  REQUIRES: one of the above has been called, and there were
  // no errors; the source has turned to the proposition.  Notes errors in it.
  void add_proposition(const Expression& expression, std::string text);

 private:
  // lower_properties.cc
  void leave_unchecked(const ProcessNode& property);
  void lower_asserts(const Process& process);
  void lower_assert(const Process& process, const AssertNode& node);
  void lower_failure_state();

  // warnings.cc
  void warn_about_states(const Process& process);
  void warn_about_names();
};

}  // namespace spillway::dve
