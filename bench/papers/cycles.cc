// One search for accepting cycles on disk, as a line of JSON: what it counts, with any parameters.
//
//   bench_cycles MODEL.dve ALGORITHM [NAME=VALUE]...
//
// ALGORITHM: ioemc, owcty, map, nested-dfs.  MODEL.dve has a property process.
// NAME=VALUE: memory_bytes, timeout (seconds), disk (a directory; otherwise /dev/shm, which
// changes no count); of ioemc: rho1 and rho2 (percent), recent (states in memory), path
// (entries).
#include <fmt/format.h>

#include <string>

#include "arguments.h"
#include "check/check.h"
#include "io/data/system_disk.h"
#include "language/dve/dve.h"
#include "open/open_model.h"
#include "papers/cycles/ioemc.h"
#include "papers/cycles/map.h"
#include "papers/cycles/owcty.h"
#include "papers/depth_first/nested_dfs.h"

namespace {

using namespace spillway;

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  return arguments().number(name, otherwise);
}

IoemcSettings ioemc_settings() {
  IoemcSettings settings;
  settings.rho1 = static_cast<double>(number("rho1", 2)) / 100;
  settings.rho2 = static_cast<double>(number("rho2", 90)) / 100;
  settings.recent = number("recent", 0);
  settings.path = number("path", 0);
  return settings;
}

constexpr Algorithm searched(std::string_view name,
                             std::unique_ptr<Search> (*make)(const SearchContext&)) {
  return {.name = name, .summary = "", .states = make, .uses_disk = true, .in_levels = false};
}

constexpr Algorithm kAlgorithms[] = {
    searched("ioemc",
             [](const SearchContext& context) { return make_ioemc(context, ioemc_settings()); }),
    searched("owcty", [](const SearchContext& context) { return make_owcty(context); }),
    searched("map", [](const SearchContext& context) { return make_map(context); }),
    searched("nested-dfs", [](const SearchContext& context) { return make_nested_dfs(context); }),
};

void print(const CheckResult& result) {
  const Statistics& s = result.statistics;
  std::string counters;
  for (const Counter& counter : s.counters)
    counters += fmt::format(", \"{}\": {}", counter.name, counter.value);
  fmt::print(
      "{{\"verdict\": \"{}\", \"states\": {}, \"transitions\": {}, \"seconds\": {:.2f}, "
      "\"cpu\": {:.2f}, \"read\": {}, \"written\": {}{}}}\n",
      word(result.verdict.outcome), s.states, s.transitions, result.seconds, cpu_seconds(),
      s.disk_bytes_read, s.disk_bytes_written, counters);
}

int run() {
  OpeningOptions reading;
  reading.chosen["--dve-errors"] = static_cast<std::size_t>(DveErrors::wrap);
  reading.product = true;
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(arguments().model, reading);
  loaded.model->runtime().prepare();
  CheckOptions options;
  options.session.deadlock = Deadlock::off;
  options.session.limits.timeout_seconds = static_cast<double>(number("timeout", 100000));
  options.memory_bytes = number("memory_bytes", std::uint64_t{32} << 20);
  SystemDisk disk({{arguments().text("disk", "/dev/shm")}});
  options.disk = &disk;
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name != arguments().algorithm) continue;
    print(check(*loaded.model, algorithm, options));
    return 0;
  }
  fmt::print(stderr, "there is no algorithm {}\n", arguments().algorithm);
  return 2;
}

}  // namespace

int main(int argc, char** argv) { return spillway::run_with_arguments(argc, argv, run); }
