// Searches by levels with buffers of a few elements, as tests of products want them.
//
// The table of algorithms has functions without arguments of their own, so the settings are
// variables: set `small_searches` before a search, on the thread that begins it.
#pragma once

#include "check/session/search.h"
#include "search/automatic.h"
#include "search/cycles/ram_cycles.h"
#include "search/cycles/runs_cycles.h"

namespace spillway {

struct SmallSearches {
  RamCyclesSettings levels;
  SortedRunsSettings runs;
  RunsCyclesSettings spilled;
  std::uint64_t leave_states = 1;  // in memory, after which `auto` continues with sorted runs
};
inline thread_local SmallSearches small_searches;

inline RamSettings small_ram() {
  RamSettings ram;
  ram.first_homes = 2;
  ram.chunk_bytes = 80;
  ram.unit_rows = 3;
  ram.squeeze_rows = 5;
  ram.alone_rows = 0;
  return ram;
}

inline const Algorithm kSmallRam{
    "ram", "", [](const SearchContext& context) { return make_ram(context, small_ram()); }};
inline const Algorithm kSmallRuns{"sorted-runs", "",
                                  [](const SearchContext& context) -> std::unique_ptr<Search> {
                                    return make_sorted_runs(context, small_searches.runs);
                                  }};
inline const Algorithm kSmallAuto{"auto", "", [](const SearchContext& context) {
                                    RamSettings ram = small_ram();
                                    ram.leave_states = small_searches.leave_states;
                                    return make_automatic(context, ram, small_searches.runs);
                                  }};
inline const Algorithm kSmallLevels{"levels", "", [](const SearchContext& context) {
                                      return make_ram_cycles(context, small_searches.levels);
                                    }};

inline const Algorithm kSmallSpilled{
    "spilled-levels", "", [](const SearchContext& context) -> std::unique_ptr<Search> {
      const auto make_bfs = [](const SearchContext& c) {
        return make_sorted_runs(c, small_searches.runs);
      };
      return make_runs_cycles(context, make_bfs, small_searches.spilled);
    }};

// In memory, then on disk.
inline const Algorithm kSmallAutoCycles{
    "auto", "", [](const SearchContext& context) {
      RamCyclesSettings levels = small_searches.levels;
      levels.ram.leave_states = small_searches.leave_states;
      return make_automatic_cycles(context, levels, small_searches.runs, small_searches.spilled);
    }};

}  // namespace spillway
