// DBF: breadth-first search on disk, with sampled checks of candidates.
//
// Idea.  That of LOCAL, as one of the two searches of Serial-Murphi: it can begin with what a
// cached search has left.
//
// Source.  Disk-Murphi, DBF in Della Penna et al.: Integrating RAM and disk based verification
// within the Murphi verifier, 2003; there after Della Penna et al., FMCAD 2002.
//
//   see local.h, with Q_ck := the queue of the cached search, D := its cache
//
// Cost.  As LOCAL.
//
// Departures.  As LOCAL. The queue that is taken over says where one level ends and the next
// begins (the paper makes one level of both), and its states are in D, as otherwise those that
// the cache has forgotten would be enqueued once more.
#pragma once

#include "papers/states/cached.h"
#include "papers/states/local.h"

namespace spillway {

struct DiskSettings : LocalSettings {};

class Resumable {
 public:
  virtual ~Resumable() = default;
  // Goes on where a cached search was left, instead of search().
  virtual void go_on(Dump dump) = 0;
  virtual Counters work() const = 0;  // since then
};

std::unique_ptr<Resumable> make_resumable_disk(Workbench& workbench, const DiskSettings& settings);
std::unique_ptr<Search> make_disk(const SearchContext& context);
std::unique_ptr<Search> make_disk(const SearchContext& context, const DiskSettings& settings);

}  // namespace spillway
