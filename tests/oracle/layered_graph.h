// Graphs of many levels with accepting cycles in several of them, for tests of where a search
// looks.
#pragma once

#include <random>

#include "oracle/test_graph.h"

namespace spillway {

// A few hundred nodes in layers. Steps lead to the next layer, and some lead back, never out of a
// band of layers, so that bands can be parts of acceptance. Nodes have numbers in any order.
// Accepting are a few states, or steps in up to 4 sets.
GraphSpec layered_graph(std::mt19937_64& random);

}  // namespace spillway
