// How a sorted-run search divides its memory.
#pragma once

#include "run/journal.h"
#include "safety/sorted_runs.h"
#include "storage/run_block.h"

namespace spillway {

// All sizes, for rows of so many words when the search has so many bytes.
SortedRunsSettings stage_settings(const SortedRunsSettings& wanted, std::size_t words, std::size_t threads,
                                  std::uint64_t bytes, Journal* journal);
BlockShape block_shape(const SortedRunsSettings& settings, std::size_t words);

}  // namespace spillway
