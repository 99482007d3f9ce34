// LOCAL: MONO with checks that read only those parts of the visited states where duplicates are
// likely.
//
// Idea.  Transitions are local: most lead back to states seen not long ago. So a check reads a
// sample of the file, the newest part always, older ones as often as they have been useful.
// Duplicates that it misses are expanded again.
//
// Source.  Della Penna, Intrigila, Tronci, Venturini Zilli: Exploiting transition locality in
// the disk based Murphi verifier, FMCAD 2002, as described by Bao and Jones, TACAS 2005.
//
//   as MONO, but Check() reads some blocks of D
//     every 10th check (calibration):  all of them
//     otherwise:  the newest, and each older one with a probability that follows how many
//     duplicates blocks of its age deleted in calibrations
//
// Cost.  Between a part of what MONO reads and all of it; revisits, which also make D longer.
//
// Departures.  The rule for choosing blocks is ours, the papers give none:
// papers/states/locality.h. It ends on every graph: when the full checks of a level have shown
// nothing new, all checks of the next level are full; so at least every second level has a new
// state or is the last. Levels are strict, as in MONO.
#pragma once

#include "papers/states/locality.h"
#include "papers/states/mono.h"

namespace spillway {

struct LocalSettings : Sizes {
  TableKind table;
  LocalitySettings locality;
};

std::unique_ptr<Search> make_local(const SearchContext& context);
std::unique_ptr<Search> make_local(const SearchContext& context, const LocalSettings& settings);

}  // namespace spillway
