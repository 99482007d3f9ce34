// A model in Murphi or DVE whose optimized code is there before one level, not earlier or later.
//
// The C compiler waits for a file.  Before the level it is created, and the model is told to expect
// a level that is worth waiting for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

class HeldBack final : public Model {
 public:
  // `gate` is the file.
  HeldBack(std::unique_ptr<Model> model, std::string gate, std::uint64_t level)
      : model_(std::move(model)), gate_(std::move(gate)), level_(level) {}

  void before_level(std::uint64_t level, std::uint64_t) const override {
    constexpr std::uint64_t kMany = std::numeric_limits<std::uint32_t>::max();
    const bool now = level == level_ && !std::filesystem::exists(gate_);
    if (now) std::ofstream(gate_).put('\n');
    model_->before_level(level, now ? kMany : 1);
  }

  const std::string& name() const override { return model_->name(); }
  std::size_t words() const override { return model_->words(); }
  std::size_t row_bits() const override { return model_->row_bits(); }
  const std::vector<Property>& properties() const override { return model_->properties(); }
  Deadlock deadlock() const override { return model_->deadlock(); }
  void initial(Successors& out) const override { model_->initial(out); }
  void successors(State state, Successors& out) const override { model_->successors(state, out); }
  std::size_t check(State state, PropertyIndex* noted) const override {
    return model_->check(state, noted);
  }
  bool accepting(State state) const override { return model_->accepting(state); }
  void prepare() override { model_->prepare(); }
  std::vector<Execution> executions() const override { return model_->executions(); }
  std::uint64_t bytes_to_come() const override { return model_->bytes_to_come(); }
  std::vector<std::string> assumptions() const override { return model_->assumptions(); }
  const Model& concrete() const override { return model_->concrete(); }
  void represent(Word* row) const override { model_->represent(row); }
  void examine_one_in(std::uint64_t states) const override { model_->examine_one_in(states); }
  void complain() const override { model_->complain(); }
  std::string rule_name(RuleIndex rule) const override { return model_->rule_name(rule); }
  std::vector<Variable> variables(State state) const override { return model_->variables(state); }

 private:
  const std::unique_ptr<Model> model_;
  const std::string gate_;
  const std::uint64_t level_;
};

}  // namespace spillway
