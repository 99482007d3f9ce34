// Serial: a cached search while memory lasts, then a disk search that continues where it
// stopped.
//
// Idea.  A cache is as fast as a table until it forgets too much; a disk search is slow, but
// needs little memory. Begin with the first; when the rate of collisions is too high, hand the
// queue and the cache over to the second.
//
// Source.  Della Penna, Intrigila, Tronci, Venturini Zilli: Integrating RAM and disk based
// verification within the Murphi verifier, CHARME 2003 (Serial-Murphi).
//
//   CBF until collisions / insertions >= gamma, tested before a state is taken from the queue
//   D := T;  Q_ck := Q;  DBF
//
// Cost.  Published: 0.99 of the time of DBF alone on the average.
//
// Departures.  Both searches are in one process, so nothing is to be written down of how states
// are packed and hashed. Levels stay apart: see disk.h.
#pragma once

#include "papers/states/disk.h"

namespace spillway {

struct SerialSettings {
  CachedSettings cached;
  DiskSettings disk;  // sizes are those of `cached`
};

std::unique_ptr<Search> make_serial(const SearchContext& context);
std::unique_ptr<Search> make_serial(const SearchContext& context, const SerialSettings& settings);

}  // namespace spillway
