// A model whose initial states cannot be made, or can.
#pragma once

#include <utility>

#include "model/model.h"

namespace spillway {

class FailingStart final : public WholeModel {
 public:
  explicit FailingStart(std::optional<Failure> failure)
      : WholeModel("failing start"), failure_(std::move(failure)) {
    composition_.properties = {{"sorted", PropertyKind::assertion}};
  }

  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override { return 1; }
  void initial(Successors& out) const override { failure_ ? out.add(0, *failure_) : out.add(0); }
  void successors(State, Successors& out) const override { out.add(0); }
  std::string rule_name(RuleIndex) const override { return "start"; }
  std::vector<Variable> variables(State) const override { return {}; }

 private:
  std::optional<Failure> failure_;
};

}  // namespace spillway
