// The default: in memory as long as that lasts and is faster, then as sorted runs.
//
// Idea.  Search in RAM. When the budget is used up, in the middle of a level, the table becomes
// the first runs of a sorted-run search, the states of the next level found so far are its first
// candidates, and it expands what is left of the level. The same happens before a level from which
// on sorted runs are faster (runs_rule.h).
//
// Source.  Our own; Della Penna et al. 2003 continue from a cache on disk in a similar way.
//
//   RAM search until full
//   V := {sorted(T minus next)};  C := next;  expand what is left of current
//   continue with sorted runs
//
// Cost.  Sorting and writing the table once: 20 to 65 ns a state.
//
// Departures.  Nothing is searched twice. Only for a trace that leads through levels that were
// complete before the switch, those are searched again, as sorted runs. Where accepting cycles are
// looked for, the levels are read again and again, and so RAM hands them over as well.
#pragma once

#include <memory>

#include "check/session/search.h"
#include "search/cycles/ram_cycles.h"
#include "search/cycles/runs_cycles.h"
#include "search/ram/ram.h"
#include "search/runs/sorted_runs.h"

namespace spillway {

std::unique_ptr<Search> make_automatic(const SearchContext& context);
std::unique_ptr<Search> make_automatic(const SearchContext& context, const RamSettings& ram,
                                       const SortedRunsSettings& runs);

// The same, with accepting cycles looked for while searching: make_ram_cycles(), then
// make_runs_cycles().  REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_automatic_cycles(const SearchContext& context,
                                              const RamCyclesSettings& ram,
                                              const SortedRunsSettings& runs,
                                              const RunsCyclesSettings& cycles = {});

}  // namespace spillway
