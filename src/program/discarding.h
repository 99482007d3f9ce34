// Finds where an assumption in a statement (Do::discard_unless) may be executed.
#pragma once

#include <vector>

#include "program/program.h"

namespace spillway::program {

class Discarding {
 public:
  explicit Discarding(const Program& program);

  // Whether a condition or body may discard the successor under construction, itself or by what it
  // calls.
  bool may(const Expr& condition) const;
  bool may(const Body& body) const;
  // Whether a rule may do so before its body is executed.
  bool may_before_body(const Rule& rule) const {
    return may(rule.header.bindings) || (rule.guard && may(*rule.guard));
  }

 private:
  std::vector<bool> functions_;
};

}  // namespace spillway::program
