#include "algorithms/algorithms.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "papers/cycles/ioemc.h"
#include "papers/cycles/iterative_deepening.h"
#include "papers/cycles/map.h"
#include "papers/cycles/minimal.h"
#include "papers/cycles/owcty.h"
#include "papers/cycles/semi_external.h"
#include "papers/depth_first/nested_dfs.h"
#include "papers/depth_first/ufscc.h"
#include "papers/states/cached.h"
#include "papers/states/dddd.h"
#include "papers/states/disk.h"
#include "papers/states/hddd.h"
#include "papers/states/local.h"
#include "papers/states/mono.h"
#include "papers/states/part.h"
#include "papers/states/serial.h"
#include "search/automatic.h"
#include "search/cycles/ram_cycles.h"
#include "search/cycles/runs_cycles.h"
#include "search/ram/ram.h"
#include "search/runs/sorted_runs.h"

namespace spillway {
namespace {
// Levels are read again and again.
SortedRunsSettings without_marks() {
  SortedRunsSettings settings;
  settings.marked_rows = std::numeric_limits<std::size_t>::max();
  return settings;
}
std::unique_ptr<RunsContinuation> make_external_bfs(const SearchContext& context) {
  return make_sorted_runs(context, without_marks());
}

std::unique_ptr<Search> make_external_cycles(const SearchContext& context) {
  return make_runs_cycles(context, make_external_bfs);
}
std::unique_ptr<Search> make_automatic_cycles(const SearchContext& context) {
  return make_automatic_cycles(context, {}, without_marks());
}

constexpr Algorithm kSortedRuns{.name = "sorted-runs",
                                .summary = "breadth-first, visited states in sorted, packed runs",
                                .states = make_sorted_runs,
                                .cycles = make_external_cycles,
                                .uses_disk = true,
                                .durable = true,
                                .least_bytes = least_sorted_runs_budget,
                                .minimal = true,
                                .on_ranks = &kSortedRuns,
                                .wide_words = 12};

// An algorithm of a paper: works on disk, can do with signatures, and leaves counterexamples to
// sorted runs.
constexpr Algorithm published(std::string_view name, std::string_view summary, MakeSearch make,
                              bool in_levels = true) {
  return {.name = name,
          .summary = summary,
          .states = make,
          .uses_disk = true,
          .retrace = &kSortedRuns,
          .in_levels = in_levels,
          .signatures = true};
}

// A search for accepting cycles that goes depth-first in memory.
constexpr Algorithm depth_first(std::string_view name, std::string_view summary, MakeSearch make) {
  return {.name = name,
          .summary = summary,
          .states = make_ram,
          .cycles = make,
          .is_for_cycles = true,
          .retrace = &kSortedRuns,
          .in_levels = false};
}

// A published search for accepting cycles on disk.  Sorted runs also find again what is wrong with
// single states.
constexpr Algorithm on_disk(std::string_view name, std::string_view summary, MakeSearch make) {
  return {.name = name,
          .summary = summary,
          .states = make_sorted_runs,
          .cycles = make,
          .is_for_cycles = true,
          .uses_disk = true,
          .retrace = &kSortedRuns,
          .in_levels = false,
          .least_bytes = least_sorted_runs_budget};
}

// The searches with a perfect hash give half of their memory to a sorted-run search.
std::uint64_t least_with_hash(std::size_t words, bool journal) {
  return 2 * least_sorted_runs_budget(words, journal);
}
constexpr Algorithm with_hash(std::string_view name, std::string_view summary, MakeSearch make,
                              bool minimal = false) {
  return {.name = name,
          .summary = summary,
          .states = make_sorted_runs,
          .cycles = make,
          .is_for_cycles = true,
          .uses_disk = true,
          .least_bytes = least_with_hash,
          .minimal = minimal};
}

constexpr std::array kAlgorithms = {
    Algorithm{.name = "auto",
              .summary = "in memory while it suffices and is faster, then as sorted runs",
              .states = make_automatic,
              .cycles = make_automatic_cycles,
              .uses_disk = true,
              .durable = true,
              .least_bytes = least_sorted_runs_budget,
              .minimal = true,
              .on_ranks = &kSortedRuns,
              .wide_words = 24},
    Algorithm{.name = "ram",
              .summary = "breadth-first, everything in memory",
              .states = make_ram,
              .durable = true,
              .minimal = true,
              .wide_words = 24},
    kSortedRuns,
    Algorithm{.name = "levels",
              .summary = "ram, with accepting cycles looked for while searching",
              .states = make_ram,
              .cycles = make_ram_cycles,
              .is_for_cycles = true,
              .minimal = true},
    depth_first("nested-dfs",
                "depth-first on one thread, for accepting cycles (Schwoon and Esparza 2005)",
                [](const SearchContext& context) { return make_nested_dfs(context); }),
    depth_first("ufscc", "depth-first on all threads, for accepting cycles (Bloemen et al. 2016)",
                [](const SearchContext& context) { return make_ufscc(context); }),
    on_disk("owcty", "accepting cycles by elimination, on disk (Barnat et al. 2007)", make_owcty),
    on_disk("map", "accepting cycles by greatest predecessors, on disk (Barnat et al. 2008)",
            make_map),
    on_disk("ioemc", "nested depth-first search, on disk (Wu et al. 2015)", make_ioemc),
    with_hash("semi-external",
              "accepting cycles by bits in memory, states on disk (Edelkamp et al. 2008)",
              [](const SearchContext& context) {
                return make_semi_external(context, make_external_bfs);
              }),
    with_hash("iterative-deepening", "the same, looked for while states are being found",
              [](const SearchContext& context) {
                return make_iterative_deepening(context, make_external_bfs);
              }),
    with_hash(
        "minimal", "a shortest accepting cycle with its stem (Edelkamp and Sulewski 2008)",
        [](const SearchContext& context) { return make_minimal(context, make_external_bfs); },
        true),
    published("mono", "breadth-first, visited states in one file (Stern and Dill 1998)", make_mono),
    published("local", "the same, with checks of a part of the file (Della Penna et al. 2002)",
              make_local),
    published("part",
              "one partition of the visited states in memory at a time (Bao and Jones 2005)",
              make_part, false),
    published("part-cache", "the same, with a cache in front of the queues", make_cached_part,
              false),
    published("hddd",
              "breadth-first, duplicates detected after each level, by partitions (Korf 2004)",
              make_hddd),
    published("dddd",
              "the same, with detections postponed where that is cheaper (Evangelista 2008)",
              make_dddd),
    published("cached", "breadth-first, a cache instead of the visited states (Tronci et al. 2001)",
              make_cached),
    published("disk", "local, as the second search of serial", make_disk),
    published("serial", "cached, then disk without starting again (Della Penna et al. 2003)",
              make_serial),
};
}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

std::string minimal_algorithms() {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : kAlgorithms)
    if (algorithm.minimal) names.push_back(algorithm.name);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace spillway
