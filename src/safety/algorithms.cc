#include "safety/algorithms.h"

#include <array>

#include "safety/automatic.h"
#include "safety/mono.h"
#include "safety/ram.h"
#include "safety/sorted_runs.h"

namespace spillway {
namespace {
constexpr Algorithm kSortedRuns{"sorted-runs", "breadth-first, visited states in sorted, packed runs",
                                [](Means means) { return make_sorted_runs(means); }, true};

// An algorithm of a paper: works on disk, can do with signatures, and leaves counterexamples to sorted runs.
constexpr Algorithm published(std::string_view name, std::string_view summary, std::unique_ptr<Search> (*make)(Means),
                              bool in_levels = true) {
  return {name, summary, make, true, &kSortedRuns, in_levels, true};
}

constexpr std::array kAlgorithms = {
    Algorithm{"auto", "in memory while that lasts, then as sorted runs",
              [](Means means) { return make_automatic(means); }, true},
    Algorithm{"ram", "breadth-first, everything in memory", [](Means means) { return make_ram(means); }},
    kSortedRuns,
    published("mono", "breadth-first, visited states in one file (Stern and Dill 1998)", make_mono),
};
}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

}  // namespace spillway
