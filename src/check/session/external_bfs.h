// An exact breadth-first search on disk, as searches that need all states first use it.
//
// Which one it is, their maker says: the searches on disk are in a layer above this one.
#pragma once

#include <functional>
#include <memory>

#include "check/session/search.h"

namespace spillway {

class ExternalBfs : public LevelSearch {
 public:
  using LevelSearch::LevelSearch;

  // Calls this whenever the next level is known and not expanded yet.  All states found so far can
  // be visited then, and levels read.  It may throw Finished.
  virtual void when_between_levels(std::function<void()> call) = 0;
};

using MakeExternalBfs = std::function<std::unique_ptr<ExternalBfs>(const SearchContext&)>;

}  // namespace spillway
