// The header of a rule or property in C: loops over its parameters, and its slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/c/c_function.h"
#include "program/program.h"
#include "program/work.h"

namespace spillway::program {

// Opens the loop over a parameter.  If its values are not consecutive, n<i> is the number of the
// current one.
std::string parameter_loop(const Parameter& parameter, std::size_t number);
std::string parameter_number(const Parameter& parameter, std::size_t number);

// Which of the loops over the parameters poll for a request to stop, if the innermost body takes
// this many steps.
std::vector<bool> looking_loops(const Header& header, std::uint64_t steps, const Work& work);

// `, const V l3` and so on, `, l3` and so on, and `(void)l3;` and so on.
std::string formal_parameters(const Header& header);
std::string actual_parameters(const Header& header);
std::string unused_parameters(const Header& header);

// Declares the slots of a header's frame except the parameters, which are counters of loops.
std::string other_slots(const CFunction& c, const Header& header);

}  // namespace spillway::program
