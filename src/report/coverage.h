// Reports parts of a model that never happened in a search: probably a mistake in the model.
#pragma once

#include <string>

#include "check/check.h"

namespace spillway {

// Lines about rules that never fired, antecedents that were never true, values that were never
// assigned, and assumptions.  If the search was not complete, only about assumptions: what has not
// happened may happen later.  `all`: however many there are.
std::string coverage_text(const CheckResult& result, bool all);

// The same of a simulation, in which nothing is known of states that it has not visited.
std::string simulated_coverage_text(const CheckResult& result, bool all);

// The line about rules that never fired.
std::string dead_rules_text(const CheckResult& result);

// Whether it is known that every rule has fired.
bool all_rules_fired(const CheckResult& result);

}  // namespace spillway
