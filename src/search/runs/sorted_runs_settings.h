// The sizes of a sorted-run search.
#pragma once

#include <cstddef>

namespace spillway {

// What is 0 is chosen from the budget (stage_settings.h).  Only tests and measurements set them.
struct SortedRunsSettings {
  std::size_t block_rows = 0;
  std::size_t group_rows = 0;
  std::size_t chunk_bytes = 0;
  std::size_t cache_rows = 0;      // of a thread
  std::size_t candidate_rows = 0;  // of a thread
  std::size_t merge_rows = 0;      // that a thread merges at once
  std::size_t reserve_bytes = 0;   // of the budget, for what is being read
  std::size_t chunks_ahead = 0;    // that a thread reads at once
  std::size_t fan_in = 6;          // runs of a size that are merged
  std::size_t parts = 4;           // per thread, of a level or a merge
  std::size_t alone_rows = 4096;   // up to this number, waking threads does not pay
  // of what a RAM search leaves, sorted at once: signals have to wait for it
  std::size_t sort_rows = 0;
  std::size_t squeeze_states = 0;  // seen before bits that are equal in all are left out of rows
  std::size_t sort_fan_in = 0;     // runs of candidates of a thread that are merged
  std::size_t most_runs = 0;       // of visited states
  // Levels after one of so many rows are not copied if there is another way to find them again.
  std::size_t marked_rows = 0;
  std::size_t threads = 0;    // as many as have room, and there are
  std::size_t mail_rows = 0;  // mail.h
  std::size_t mail_recent_rows = 0;
};

}  // namespace spillway
