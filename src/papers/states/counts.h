// Counters that the algorithms of the papers keep of their own work, each in the letters and words
// of its header.
//
// Verdicts do not need these numbers, and states are counted by Run.  They are here because an
// algorithm can give right results without being the one of its paper: one that looks for
// duplicates too often, or never, is only slower.
#pragma once

#include "check/facts/statistics.h"

namespace spillway {

struct MonoCounts {
  std::uint64_t full = 0;        // states in M that make a check necessary
  std::uint64_t candidates = 0;  // pushed to Q_unck
  std::uint64_t checks = 0;
  std::uint64_t read = 0;     // states of D, by all checks
  std::uint64_t visited = 0;  // appended to D

  Counters list() const {
    return {{"full", full},
            {"candidates", candidates},
            {"checks", checks},
            {"read", read},
            {"visited", visited}};
  }
};

struct LocalCounts : MonoCounts {
  std::uint64_t blocks = 0;        // slices of D that were read
  std::uint64_t calibrations = 0;  // checks that read all of D
  std::uint64_t careful = 0;       // checks in levels after one in which nothing was proven new

  Counters list() const {
    return MonoCounts::list() + Counters{{"blocks", blocks},
                                         {"calibrations", calibrations},
                                         {"careful_checks", careful}};
  }
};

struct PartCounts {
  std::uint64_t table = 0;  // states for which M has room
  std::uint64_t sweeps = 0;
  std::uint64_t read = 0;     // states of D, by all sweeps
  std::uint64_t visited = 0;  // written back to D
  std::uint64_t queued = 0;   // pushed to Q
  std::uint64_t longest = 0;  // the longest queue that was swept
  std::uint64_t splits = 0;

  Counters list() const {
    return {{"table", table},   {"sweeps", sweeps},         {"read", read},    {"visited", visited},
            {"queued", queued}, {"longest_queue", longest}, {"splits", splits}};
  }
};

struct HdddCounts {
  std::uint64_t detections = 0;
  std::uint64_t candidates = 0;  // written to C
  std::uint64_t flushes = 0;     // because the cache was full, in the midst of a level
  std::uint64_t gathered = 0;    // read from C, by gatherings that fit
  std::uint64_t halvings = 0;    // of candidates that did not fit into H
  std::uint64_t read = 0;        // states of V
  std::uint64_t visited = 0;     // appended to V

  Counters list() const {
    return {{"detections", detections}, {"candidates", candidates}, {"flushes", flushes},
            {"gathered", gathered},     {"halvings", halvings},     {"read", read},
            {"visited", visited}};
  }
};

struct DdddCounts {
  std::uint64_t merges = 0;      // levels, with the one behind the last
  std::uint64_t detections = 0;  // merges that looked at all of V and C
  std::uint64_t candidates = 0;  // written to T
  std::uint64_t halvings = 0;    // of candidates that did not fit into H
  std::uint64_t read = 0;        // states of V and C, by detections
  std::uint64_t partial = 0;     // levels of a partition that were read without a detection
  std::uint64_t partly_read = 0;
  std::uint64_t partly_found = 0;  // duplicates, by that
  std::uint64_t delayed = 0;       // states that went to C
  std::uint64_t visited = 0;       // appended to V

  Counters list() const {
    return {{"merges", merges},
            {"detections", detections},
            {"candidates", candidates},
            {"halvings", halvings},
            {"read", read},
            {"partial_levels", partial},
            {"partial_read", partly_read},
            {"partial_found", partly_found},
            {"delayed", delayed},
            {"visited", visited}};
  }
};

struct CachedCounts {
  std::uint64_t cache = 0;       // states for which T has room
  std::uint64_t insertions = 0;  // into T, and pushed to Q
  std::uint64_t forgotten = 0;   // by T

  Counters list() const {
    return {{"cache", cache}, {"insertions", insertions}, {"forgotten", forgotten}};
  }
};

struct SerialCounts {
  std::uint64_t switches = 0;  // from the cache to the disk, 0 or 1
  std::uint64_t expanded = 0;  // with the cache
  std::uint64_t queued = 0;    // states of Q that were handed over
  std::uint64_t visited = 0;   // states of D that were handed over

  Counters list() const {
    return {{"switches", switches},
            {"cache_expanded", expanded},
            {"handed_queue", queued},
            {"handed_visited", visited}};
  }
};

}  // namespace spillway
