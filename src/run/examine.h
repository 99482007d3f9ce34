// Reads all that the newest checkpoint speaks of, to say whether a search can be continued from it.
#pragma once

#include "base/budget.h"
#include "io/disk.h"
#include "run/journal.h"

namespace spillway {

// Every checksum, the states of each level against its count and digest, and that no state is there twice.  Sorts the
// states, with `scratch` for those that memory does not hold.  Throws Error(integrity).
// REQUIRES: journal.resumed().
void examine(Journal& journal, Budget& budget, Disk& scratch);

}  // namespace spillway
