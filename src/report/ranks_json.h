// The figures of the ranks of a check, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "check/ranks/rank_figures.h"

namespace spillway {

nlohmann::ordered_json rank_json(const RankFigures& figures);
// null if there are none.
nlohmann::ordered_json ranks_json(const std::vector<RankFigures>& ranks);

}  // namespace spillway
