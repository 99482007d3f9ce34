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

class HeldBack final : public Runtime, public Model {
 public:
  // `gate` is the file.
  HeldBack(std::unique_ptr<Model> model, std::string gate, std::uint64_t level)
      : Model(model->composition()),
        model_(std::move(model)),
        gate_(std::move(gate)),
        level_(level) {
    composition_.runtime = this;
  }

  void before_level(std::uint64_t level, std::uint64_t) const override {
    constexpr std::uint64_t kMany = std::numeric_limits<std::uint32_t>::max();
    const bool now = level == level_ && !std::filesystem::exists(gate_);
    if (now) std::ofstream(gate_).put('\n');
    model_->runtime().before_level(level, now ? kMany : 1);
  }
  void prepare() const override { model_->runtime().prepare(); }
  std::vector<ExecutedLevels> executions() const override { return model_->runtime().executions(); }
  std::uint64_t bytes_to_come() const override { return model_->runtime().bytes_to_come(); }

 private:
  const std::unique_ptr<Model> model_;
  const std::string gate_;
  const std::uint64_t level_;
};

}  // namespace spillway
