// The states of a level that cannot be squeezed.
//
// They differ from all states of earlier levels in a bit that squeezed rows lack.  So they are in
// no run of the visited set.
#pragma once

#include <memory>
#include <vector>

#include "search/runs/level_rows.h"
#include "search/runs/stage_context.h"
#include "storage/runs/external_sort.h"

namespace spillway {

class OddStates {
 public:
  // `rows`: that a thread collects in memory.
  OddStates(const StageContext& context, std::size_t rows, std::size_t threads);

  // One call per thread at a time.
  void add(unsigned thread, State state) { sorts_[thread]->add({state.data(), 1, shape_.words}); }
  // Makes one run of the states that were added, passes them to `level`, and forgets them.
  SortedRun<0> take(LevelRows& level);

 private:
  ChunkStore& store_;
  Lookout& lookout_;
  const BlockShape shape_;
  std::vector<std::unique_ptr<ExternalSort<0>>> sorts_;
};

}  // namespace spillway
