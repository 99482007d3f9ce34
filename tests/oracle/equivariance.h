// What can be seen of a state: it must be the same, permuted, for a permuted state if a program is
// symmetric.
#pragma once

#include <algorithm>
#include <ostream>
#include <vector>

#include "program/interpreter.h"
#include "unit/program/permutations.h"

namespace spillway {

using program::Permutation;
using Row = std::vector<Word>;

// What can be seen of a state.
struct Seen {
  std::vector<Row> successors;
  bool left_out = false;
  bool fails = false;
  std::uint32_t failing_rule = 0, assertion = 0;  // interpreted only
  std::vector<bool> properties;
  bool operator==(const Seen&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  out << seen.successors.size() << " successors" << (seen.left_out ? ", some left out" : "");
  if (seen.fails)
    out << ", fails in rule " << seen.failing_rule << ", assertion " << seen.assertion;
  out << ", properties ";
  for (const bool held : seen.properties) out << held;
  return out;
}

// After a failure nothing else matters: it ends the search.
inline void forget_what_does_not_matter(Seen& seen) {
  if (seen.fails) {
    seen.successors.clear();
    seen.left_out = false;
  }
  std::sort(seen.successors.begin(), seen.successors.end());
}

inline Seen interpreted(const program::Program& p, program::Interpreter& interpreter,
                        const Row& row) {
  Seen seen;
  const State state = row;
  const auto sink = [&](const Word* made, program::InstanceIndex) {
    seen.successors.emplace_back(made, made + row.size());
  };
  seen.fails = interpreter.successors(state, sink).has_value();
  seen.left_out = interpreter.left_out();
  if (seen.fails) {
    const program::Failure gravest = interpreter.gravest_failure(&state).value();
    seen.failing_rule = static_cast<std::uint32_t>(
        interpreter.instances().at(gravest.instance).rule - p.rules.data());
    seen.assertion = gravest.failed.assertion;
  }
  for (const program::Property& property : p.properties)
    seen.properties.push_back(property.condition && interpreter.holds(property, state));
  forget_what_does_not_matter(seen);
  return seen;
}

// Of the successors, those that the permutation makes of them.
inline Seen image(const program::Program& p, const program::Packing& packing, Seen seen,
                  const Permutation& to) {
  for (Row& row : seen.successors) row = image(p, packing, row, to);
  std::sort(seen.successors.begin(), seen.successors.end());
  return seen;
}

}  // namespace spillway
