// Random graphs, for RapidCheck to make and to shrink.
#pragma once

#include <rapidcheck.h>

#include <utility>
#include <vector>

#include "oracle/test_graph.h"

namespace spillway {

template <class T>
rc::Gen<T> one_of(std::vector<T> values) {
  return rc::gen::elementOf(std::move(values));
}

// A graph of any kind; `deep`: of more than 255 levels as a rule.
GraphSpec arbitrary_graph(bool deep);

}  // namespace spillway
