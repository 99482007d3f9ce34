#include "report/ranks_json.h"

#include <nlohmann/json.hpp>

namespace spillway {

nlohmann::ordered_json rank_json(const RankFigures& figures) {
  return {{"states", figures.states},
          {"memory_bytes", figures.memory_bytes},
          {"peak_memory_bytes", figures.peak_memory_bytes},
          {"memory_limit_bytes", figures.memory_limit_bytes},
          {"disk_bytes", figures.disk_bytes},
          {"bytes_sent", figures.bytes_sent},
          {"bytes_received", figures.bytes_received},
          {"waiting_seconds", static_cast<double>(figures.waited_milliseconds) / 1000}};
}

nlohmann::ordered_json ranks_json(const std::vector<RankFigures>& ranks) {
  if (ranks.empty()) return nullptr;
  nlohmann::ordered_json json = {{"skew", skew(ranks)}, {"each", nlohmann::ordered_json::array()}};
  for (const RankFigures& one : ranks) json["each"].push_back(rank_json(one));
  return json;
}

}  // namespace spillway
