// Rules, each of which is a step of the system, or of its product with the property process.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/dve/step_lowering.h"

namespace spillway::dve {

class RuleLowering : protected StepLowering {
 protected:
  using StepLowering::StepLowering;

  void lower_rules();
  void list_transitions();

  // lower_property.cc
  void lower_property();
  void lower_property_alone();
  void lower_accepting();
  static std::string acceptance_name(const ProcessNode& property);

 private:
  void lower_asynchronous();
  void lower_synchronous(std::size_t process, JointMove& step);
  void add_step(const JointMove& step);
  void add_rule(const JointMove& step, const Move* property);
  // How many of the processes that move are in committed states.
  enum class Committed { none, some, all };
  Committed committed(const JointMove& step) const;
  std::vector<ExprPtr> conditions(const JointMove& step, const Move* property);
  ExprPtr guard(std::vector<ExprPtr> conditions, Position position) const;
  static std::string name_of(const JointMove& step, const Move* property);

  // lower_property.cc
  std::uint32_t choice_function(std::string name, const Type* result, std::vector<ExprPtr> values);
  program::SlotIndex add_parameter(program::Rule& rule) const;
  ExprPtr property_call(std::uint32_t function, program::SlotIndex slot, Position position) const;
  void move_property(program::Rule& rule, Position position) const;
  std::uint32_t can_move_function();
  program::AcceptanceParts parts(const std::vector<Value>& accepting) const;

  std::vector<JointMove> steps_;  // if there is a property process
  std::unordered_map<const Move*, std::vector<std::uint32_t>> rules_of_;  // that a move is part of
  const Type* choices_ = nullptr;            // transitions of the property process
  std::uint32_t allows_ = 0, leads_to_ = 0;  // functions of them
};

}  // namespace spillway::dve
