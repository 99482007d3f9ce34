// A counterexample as the pages want it (page/trace.js).  Only those that make pages include this:
// it takes long to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/trace/saved_trace.h"

namespace spillway {

// {model, kind, property, line, loop, remark, names, steps: [{rule, line, values}]}: the values are
// those of the names, in their order.  If steps were left out, also omitted: {first, count}.
nlohmann::ordered_json trace_data(const SavedTrace& trace);

}  // namespace spillway
