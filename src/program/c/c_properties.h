// The properties of a program in C: their conditions, check(), accepting() and evaluate().
#pragma once

#include <string>

#include "program/c/c_unit.h"

namespace spillway::program {

class CProperties {
 public:
  explicit CProperties(CUnit& unit) : unit_(unit) {}

  // q3() returns whether the property holds in all its instances, or in some; it fails if an
  // instance that it evaluates fails.  q3_tried() skips instances that fail, where one of several
  // is enough.
  void conditions(std::string& out);
  // Nearly always, all invariants hold and can be evaluated.  That is tried first, all at once.
  void check(std::string& out) const;
  // REQUIRES: the program has accepting states.
  void accepting(std::string& out);
  // evaluate(), for all propositions at once.  REQUIRES: there are any.
  void propositions(std::string& out);

 private:
  void property(const Property& property, const std::string& name, std::string& out);
  // An X that executes nothing but conditions, and marks in `marks`.
  std::string conditions_only() const;
  // Room for marks that nobody asks for.
  std::string spare_marks() const;

  CUnit& unit_;
};

}  // namespace spillway::program
