// A model whose initial states cannot be made, or can.
#pragma once

#include <utility>

#include "model/model.h"

namespace spillway {

class FailingStart final : public Model {
 public:
  explicit FailingStart(std::optional<Failure> failure) : failure_(std::move(failure)) {}

  const std::string& name() const override { return name_; }
  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override { return 1; }
  const std::vector<Property>& properties() const override { return properties_; }
  Deadlock deadlock() const override { return Deadlock::off; }
  void initial(Successors& out) const override { failure_ ? out.add(0, *failure_) : out.add(0); }
  void successors(State, Successors& out) const override { out.add(0); }
  std::size_t check(State, PropertyIndex*) const override { return 0; }
  bool accepting(State) const override { return false; }
  std::string rule_name(RuleIndex) const override { return "start"; }
  std::vector<Variable> variables(State) const override { return {}; }

 private:
  std::string name_ = "failing start";
  std::vector<Property> properties_ = {{"sorted", PropertyKind::assertion}};
  std::optional<Failure> failure_;
};

}  // namespace spillway
