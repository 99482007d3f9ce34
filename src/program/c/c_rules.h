// The rules of a program in C, and what selects among them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "program/bags.h"
#include "program/c/c_shapes.h"
#include "program/c/c_unit.h"

namespace spillway::program {

class CRules {
 public:
  // Programs with so many rules share the code of those of the same shape.
  CRules(CUnit& unit, std::size_t many_rules)
      : unit_(unit), many_rules_(many_rules), bags_(packed_bags(unit.program)) {}

  // finish() takes a successor; false if an assumption excludes it.
  void finish(std::string& out) const;
  void starts(std::string& out);
  void rules(std::string& out);
  // The state that replaces the successor of a rule that fails.
  void failure_state(std::string& out) const;
  // Calls the rules in order.  A switch selects among neighbours whose guards first compare the
  // same variable.
  std::string dispatch() const;

 private:
  // `number` counts starts and rules.
  void rule(const Rule& rule, const std::string& name, std::size_t number, InstanceIndex first,
            std::string& out);
  // How many of the parts of its guard are evaluated before NAME_fire() is called.
  std::size_t early_parts(const Rule& rule, const std::vector<const Expr*>& parts) const;
  // NAME_allows(): the other parts.
  void allows(const Rule& rule, const std::string& name, std::span<const Expr* const> late,
              std::string& out);
  void body(const Rule& rule, const std::string& name, std::size_t number, bool asks,
            std::string& out);
  // Calls finish() and counts for a rule.  The compiler must not have to pass on its number.
  std::string finish_and_count(const std::string& rule, const std::string& from) const;
  std::string sort_changed_bags() const;
  std::string call(std::size_t rule) const;
  // The most steps that the code for one instance takes.
  std::uint64_t steps_of(const Rule& rule);

  CUnit& unit_;
  const std::size_t many_rules_;
  const std::vector<PackedBag> bags_;
  CShapes shapes_;
};

}  // namespace spillway::program
