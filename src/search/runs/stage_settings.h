// Divides the memory of a sorted-run search.
#pragma once

#include <optional>

#include "search/runs/sorted_runs_settings.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

// What sizes are chosen for.
struct StageSubject {
  std::size_t words = 1;      // of the rows of the stage
  std::size_t row_words = 1;  // of whole rows; more than `words`: rows of the stage are squeezed
  std::size_t threads = 1;    // that there are
  std::uint64_t limit = 0;    // of the budget, by which sizes of blocks and chunks are chosen
  std::optional<BlockShape> kept = std::nullopt;  // blocks that are kept as they are
};

// All sizes, when so many bytes of the budget are left for the stage.  threads is 0 when that is
// not enough for one: whether it is does not depend on how many there are.
SortedRunsSettings stage_settings(const SortedRunsSettings& wanted, const StageSubject& subject,
                                  std::uint64_t bytes);
BlockShape block_shape(const SortedRunsSettings& settings, std::size_t words);

// Of a block of rows of any form, at most.
std::size_t most_block_bytes(const SortedRunsSettings& wanted, const StageSubject& subject);
// Rows that a thread collects which cannot be squeezed.
std::size_t odd_rows(const SortedRunsSettings& settings, const StageSubject& subject);

// Rows that are copied and sorted at once while the first runs are written.
std::size_t hand_over_rows(const StageSubject& subject);
// What is needed to write the first runs while a RAM search still has its memory, on one thread.
std::uint64_t hand_over_bytes(const SortedRunsSettings& wanted, const StageSubject& subject);

// The least budget that is enough, whether the search begins in RAM or not.
std::uint64_t least_bytes(const SortedRunsSettings& wanted, StageSubject subject);

}  // namespace spillway
