// The length of a shortest lasso, by trying all states as the one where the cycle begins.
#pragma once

#include <cstdint>
#include <optional>

#include "model/model.h"

namespace spillway {

// Steps to an accepting cycle, and of the cycle; nothing if there is no such cycle.
std::optional<std::uint64_t> shortest_lasso(const Model& model);

}  // namespace spillway
