// Which accepting cycle is to be reported, computed in the most obvious way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "oracle/test_graph.h"

namespace spillway {

// A run that meets every acceptance set for ever: states up to where it repeats, and the loop.
struct ExpectedLasso {
  std::uint64_t stem = 0;  // steps
  std::vector<std::vector<Word>>
      loop;  // from the state after the first one of the loop to that one
};

// Of the least number of levels that have an accepting cycle, the one that begins at the least
// state and is the least of the shortest ones.
std::optional<ExpectedLasso> expected_lasso(const Model& model);

// What is wrong with a result; empty if it is the expected one.
std::string difference(const CheckResult& result, const std::optional<ExpectedLasso>& expected);
// The same, but any accepting cycle will do.
std::string difference_in_verdict(const CheckResult& result,
                                  const std::optional<ExpectedLasso>& expected);

// A random graph with accepting states, or with up to 4 sets of steps, and sometimes with parts.
GraphSpec arbitrary_graph_with_acceptance();

}  // namespace spillway
