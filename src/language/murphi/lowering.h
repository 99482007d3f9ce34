// Checks the tree of a model and builds the program from it.  Each part of the lowering is a class
// that knows only the parts below it: Scope, types, expressions, statements, declarations, rules.
#pragma once

#include <string>

#include "language/murphi/rule_lowering.h"

namespace spillway::murphi {

class Lowering : RuleLowering {
 public:
  Lowering(Source& source, const MurphiOptions& options, Habits habits, MurphiModel& out)
      : RuleLowering(source, options, habits, out) {}

  // Notes errors in the source.  If there are any, the program must not be used.
  void run(const ModelNode& model);
  // Adds a proposition to the program.  REQUIRES: run() has found no errors, and the source has
  // turned to the proposition.  Notes errors in it.
  void add_proposition(const Expression& expression, std::string text);

 private:
  // Gives up symmetries that the model declares but does not have.
  void give_up_symmetries();
  void warn_about_names();  // warnings.cc
};

}  // namespace spillway::murphi
