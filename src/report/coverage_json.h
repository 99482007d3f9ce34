// The coverage of a model by a search, all of it, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "check/check.h"

namespace spillway {

// null if nothing was counted.
nlohmann::ordered_json coverage_json(const CheckResult& result);

}  // namespace spillway
