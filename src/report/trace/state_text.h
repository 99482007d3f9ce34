// States, and what a step changes in one, in as few lines as say it.
//
// A record is shown on one line if it is short, and so is a multiset.  Equal neighbours in an array
// share a line, and fields that are undefined are left out.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

// Lines without indentation and newline: "cache[1..3]: all undefined".
std::vector<std::string> state_lines(const std::vector<StatePart>& state);

// "x: 1 -> 2", "net: +{kind=Get, from=p1}"; none if nothing changes.  REQUIRES: both are states of
// one model.
std::vector<std::string> change_lines(const std::vector<StatePart>& before,
                                      const std::vector<StatePart>& after);

}  // namespace spillway
