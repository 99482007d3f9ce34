// Reads everything the newest checkpoint refers to, to decide whether a search can be resumed from
// it.
#pragma once

#include "base/memory/budget.h"
#include "check/durable/journal.h"
#include "io/data/disk.h"

namespace spillway {

// Checks every checksum, the states of each level against its count and digest, and that no state
// occurs twice.  Sorts the states, with `scratch` for those that exceed memory.  Throws
// Error(integrity).  REQUIRES: journal.resumed().
void examine(Journal& journal, Budget& budget, Disk& scratch);

}  // namespace spillway
