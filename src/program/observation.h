// Observes a program besides its states: how often rules fire, and what never happens.
//
// Counters.  For each start and then each rule: how often an instance made a successor; in the same
// order: how often one was executed, but its successor was left out because of an assumption; then
// for each assumption: how many successors it has left out.  Sums do not depend on the order in
// which states are expanded.
// Marks.  Something has happened at least once: a value of an enumeration was assigned, the
// antecedent of an invariant was true, the condition of a cover statement held.
//
// Assignments that every execution of a rule makes need no marks: the counters of the rule tell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program.h"

namespace spillway::program {

struct Observation {
  struct Assumption {
    std::string name;
    Position position;
    bool in_rules;  // a statement
  };
  struct Antecedent {
    std::size_t property;  // in the program
    Position position;     // of the antecedent
    std::uint32_t mark;
  };
  struct CoverStatement {
    std::size_t property;  // in the program
    std::uint32_t mark;
  };
  struct NamedValue {
    std::string type;  // its name; empty if it has none
    std::string name;
    std::uint32_t line = 0;
    std::uint32_t mark = 0;
    std::vector<std::uint32_t> rules;  // that always assign it; starts come first
  };

  std::size_t rules = 0;  // starts and rules
  // Properties first, then statements.
  std::vector<Assumption> assumptions;
  std::vector<Antecedent> antecedents;
  std::vector<CoverStatement> covers;
  std::vector<NamedValue> values;

  std::size_t fired(std::size_t rule) const { return rule; }
  std::size_t cut(std::size_t rule) const { return rules + rule; }
  std::size_t cut_by(std::size_t assumption) const { return 2 * rules + assumption; }
};

// Numbers the counters and marks of a program.  From then on its executions must be given room for
// them.
Observation observe(Program& program);

}  // namespace spillway::program
