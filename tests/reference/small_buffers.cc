// The program with buffers of a few elements, for compare_formulas.py: runs, bits of states and
// edges are on disk, and everything is merged, swapped and sent after a few rows, in models of a
// few states.
//
// Only the table of algorithms is another one.  The sizes are drawn from the seed in SPILLWAY_SEED.
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>

#include "algorithms/algorithms.h"
#include "cli/main.h"
#include "commit.h"
#include "search/automatic.h"
#include "search/cycles/runs_cycles.h"
#include "search/runs/sorted_runs.h"

namespace spillway {
namespace {

class Draw {
 public:
  std::size_t operator()(std::initializer_list<std::size_t> from) {
    return from.begin()[random_() % from.size()];
  }

 private:
  std::mt19937_64 random_{[] {
    const char* const seed = std::getenv("SPILLWAY_SEED");
    return seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
  }()};
};

struct Sizes {
  Draw draw;
  SortedRunsSettings runs = [this] {
    SortedRunsSettings s;
    s.block_rows = draw({1, 2, 3, 5});
    s.group_rows = draw({1, 2, 3});
    s.chunk_bytes = draw({1, 30, 100, 4096});
    s.cache_rows = draw({2, 3, 50});
    s.candidate_rows = draw({1, 2, 3, 10});
    s.merge_rows = draw({1, 7, 100});
    s.chunks_ahead = draw({1, 2, 5});
    s.reserve_bytes = std::size_t{1} << 40;  // all runs are on disk
    s.fan_in = draw({2, 3, 4});
    s.parts = draw({1, 2, 3});
    s.alone_rows = draw({0, 0, 3});
    s.squeeze_states = draw({1, 2, 5, 20, 1000});
    s.marked_rows = draw({1, 1, 2, 5, 1000});
    s.mail_rows = draw({1, 2, 10});
    s.mail_recent_rows = draw({2, 8});
    return s;
  }();
  RamSettings ram = [this] {
    RamSettings s;
    s.first_homes = 2;
    s.chunk_bytes = 80;
    s.unit_rows = 3;
    s.squeeze_rows = draw({2, 5, 1000});
    s.alone_rows = 0;
    s.leave_states = draw({1, 5, 20, 60});
    return s;
  }();
  RamCyclesSettings levels = [this] {
    RamCyclesSettings s;
    s.growth = draw({0, 1}) == 0 ? 1.1 : 2;
    s.first_check = draw({1, 1, 5, 1000});
    s.block_nodes = draw({1, 2, 7, 4096});
    s.ram = ram;
    return s;
  }();
  RunsCyclesSettings cycles = [this] {
    RunsCyclesSettings s;
    s.growth = draw({0, 1}) == 0 ? 1.1 : 2;
    s.first_check = draw({1, 1, 5, 1000});
    s.ranked.bits = BitVector::Medium::disk;
    s.ranked.block_nodes = draw({1, 2, 7, 4096});
    s.ranked.least_apart = draw({1, 10, 1000});
    s.shared.rows = draw({1, 2, 10});
    return s;
  }();
};

const Sizes& sizes() {
  static const Sizes once;
  return once;
}

SortedRunsSettings without_marks() {
  SortedRunsSettings runs = sizes().runs;
  runs.marked_rows = std::numeric_limits<std::size_t>::max();
  return runs;
}

std::unique_ptr<Search> make_runs(const SearchContext& context) {
  const auto make_bfs = [](const SearchContext& of_bfs) {
    return make_sorted_runs(of_bfs, without_marks());
  };
  if (context.with_acceptance) return make_runs_cycles(context, make_bfs, sizes().cycles);
  return make_sorted_runs(context, sizes().runs);
}

std::unique_ptr<Search> make_auto(const SearchContext& context) {
  if (context.with_acceptance)
    return make_automatic_cycles(context, sizes().levels, without_marks(), sizes().cycles);
  return make_automatic(context, sizes().ram, sizes().runs);
}

constexpr Algorithm kRuns{.name = "sorted-runs",
                          .summary = "with small buffers",
                          .states = make_runs,
                          .uses_disk = true,
                          .durable = true,
                          .least_bytes = least_sorted_runs_budget,
                          .minimal = true,
                          .on_ranks = &kRuns};
constexpr std::array kAlgorithms = {Algorithm{.name = "auto",
                                              .summary = "leaves memory after a few states",
                                              .states = make_auto,
                                              .uses_disk = true,
                                              .durable = true,
                                              .least_bytes = least_sorted_runs_budget,
                                              .minimal = true,
                                              .on_ranks = &kRuns},
                                    kRuns};

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }
std::string minimal_algorithms() { return "auto or sorted-runs"; }

}  // namespace spillway

int main(int argc, char** argv) { return spillway::spillway_main(argc, argv, SPILLWAY_COMMIT); }
