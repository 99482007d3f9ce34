// Objects shared by all stages of a sorted-run search.
#pragma once

#include <atomic>

#include "check/session/search.h"
#include "search/runs/mail.h"
#include "search/runs/sorted_runs_settings.h"
#include "storage/levels/level_keeper.h"
#include "storage/runs/merge_history.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

struct StageContext {
  Session& session;
  Budget& budget;
  Crew& crew;
  Checkpoints& checkpoints;
  const SortedRunsSettings& wanted;
  ChunkStore& store;
  const BlockShape& level_shape;       // of blocks of whole rows, as levels are kept
  LevelKeeper& keeper;                 // copies of levels, for traces
  MergeHistory* history;               // finds levels without copies; nullptr: all are copied
  std::atomic<std::uint64_t>& stored;  // states
  Mail& mail;                          // to other ranks
};

}  // namespace spillway
