// A forecast as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "report/progress/forecast.h"

namespace spillway {

// null if nothing is said.
nlohmann::ordered_json forecast_json(const std::optional<Forecast>& forecast);

}  // namespace spillway
