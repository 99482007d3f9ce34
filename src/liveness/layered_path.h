// Shortest paths between places on disk: breadth-first with all layers kept, then backwards through
// them.
#pragma once

#include <vector>

#include "liveness/numbered_states.h"

namespace spillway {

enum class FirstStep { any, accepting };

// The places after `from`, up to `to`, on a shortest path of at least one step within a part.
// `store`: for places without a note.  `visited`: of places; what it has does not matter.  Throws
// Error(internal) if there is none.  May throw Finished.
std::vector<std::vector<Word>> layered_path(Places& places, PlaceNumbers& numbers,
                                            BitVector& visited, Store& store, State from, State to,
                                            FirstStep first);

}  // namespace spillway
