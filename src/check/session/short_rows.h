// The rows that a search stores instead of wide states (storage/parts/parted_rows.h).
#pragma once

#include <memory>
#include <vector>

#include "base/memory/budget.h"
#include "check/session/search.h"
#include "model/model.h"
#include "storage/parts/cut.h"
#include "storage/parts/parted_rows.h"

namespace spillway {

struct ShortRowsSettings {
  bool narrow_states = false;  // those that are not wide, too
  std::uint64_t sample_bytes = std::uint64_t{16} << 20;
  std::uint64_t most_states = 30'000;  // in the sample
  bool small_models = false;           // those that have no more states than the sample, too
  CutSettings cut = {};
  PartedSettings parts = {};

  // Every state is worth it.
  static ShortRowsSettings for_all() {
    return {.narrow_states = true, .small_models = true, .cut = {.least_gain = 0, .common = 0}};
  }
};

// Cuts the states of a model into parts, as its first states suggest, whose values it knows then.
// They are the same on all machines.  nullptr: whole states are as good, the model is small, or the
// budget has no room.  Throws Stopped.
std::shared_ptr<PartedRows> make_short_rows(const Model& model, Budget& budget,
                                            const ShortRowsSettings& settings = {});

// Levels of a search that has short rows, as states.
class WholeLevels final : public LevelReader {
 public:
  WholeLevels(LevelReader& levels, const PartedRows& rows, unsigned threads)
      : levels_(levels), rows_(rows), hands_(threads, PartedRows::Hand(rows)) {}

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    levels_.each_at_depth(depth, [&](unsigned thread, State row) {
      visit(thread, rows_.whole(row, hands_[thread]));
    });
  }

 private:
  LevelReader& levels_;
  const PartedRows& rows_;
  std::vector<PartedRows::Hand> hands_;
};

}  // namespace spillway
