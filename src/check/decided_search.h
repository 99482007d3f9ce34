// Stands for a search that an earlier process has completed and decided: it has nothing left to do.
//
// The session was restored from the last checkpoint, so its counts are those of that search.
#pragma once

#include <cstdint>

#include "check/session/search.h"

namespace spillway {

class DecidedSearch final : public LevelSearch {
 public:
  using LevelSearch::LevelSearch;

  void search() override {}
  // Of several ranks, by this one.
  std::uint64_t stored() const override {
    std::uint64_t states = 0;
    for (const Level& level : levels.own_levels()) states += level.states;
    return states;
  }
  // It has reported none.
  bool decides_acceptance() const override { return true; }
};

}  // namespace spillway
