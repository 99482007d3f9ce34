#include "report/progress/forecast_json.h"

#include <nlohmann/json.hpp>

namespace spillway {

nlohmann::ordered_json forecast_json(const std::optional<Forecast>& forecast) {
  if (!forecast) return nullptr;
  const auto of = [](const auto& interval) -> nlohmann::ordered_json {
    return {{"low", interval.low}, {"high", interval.high}};
  };
  nlohmann::ordered_json json = {
      {"states", of(forecast->states)}, {"seconds", nullptr}, {"disk_bytes", nullptr}};
  if (forecast->seconds) json["seconds"] = of(*forecast->seconds);
  if (forecast->disk_bytes) json["disk_bytes"] = of(*forecast->disk_bytes);
  return json;
}

}  // namespace spillway
