#include "safety/algorithms.h"

#include <array>

#include "safety/automatic.h"
#include "safety/ram.h"
#include "safety/sorted_runs.h"

namespace spillway {
namespace {
constexpr std::array kAlgorithms = {
    Algorithm{"auto", "in memory while that lasts, then as sorted runs",
              [](Means means) { return make_automatic(means); }, true},
    Algorithm{"ram", "breadth-first, everything in memory", [](Means means) { return make_ram(means); }},
    Algorithm{"sorted-runs", "breadth-first, visited states in sorted, packed runs",
              [](Means means) { return make_sorted_runs(means); }, true},
};
}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

}  // namespace spillway
