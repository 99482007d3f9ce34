// Shortest paths between set states on disk: breadth-first with all layers kept, then backwards
// through them.
#pragma once

#include <vector>

#include "papers/cycles/numbered_states.h"

namespace spillway {

enum class FirstStep { any, accepting };

// The set states after `from`, up to `to`, on a shortest path of at least one step within a part.
// `store`: for set states without a note.  `visited`: of set states; what it has does not matter.
// Throws Error(internal) if there is none.  May throw Finished.
std::vector<std::vector<Word>> layered_path(SetStates& set_states, SetStateNumbers& numbers,
                                            BitVector& visited, Store& store, State from, State to,
                                            FirstStep first);

}  // namespace spillway
