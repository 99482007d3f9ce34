#include "safety/algorithms.h"

#include <array>

#include "safety/ram.h"

namespace spillway {
namespace {
constexpr std::array kAlgorithms = {
    Algorithm{"ram", "breadth-first, everything in memory", [](Means means) { return make_ram(means); }},
};
}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

}  // namespace spillway
