// One search for accepting cycles on disk, as a line of JSON: what it counts, with any parameters.
//
//   bench_cycles MODEL.dve ALGORITHM [NAME=VALUE]...
//
// ALGORITHM: ioemc, ioemc-tiered, owcty, map, nested-dfs.  MODEL.dve has a property process.
// NAME=VALUE: memory_bytes, timeout (seconds), disk (a directory; otherwise files are in memory,
// which changes no count); of ioemc: rho1 and rho2 (percent), recent (states in memory), path
// (entries).
#include <fmt/format.h>

#include <ctime>
#include <map>
#include <optional>
#include <string>

#include "base/quantity.h"
#include "check/check.h"
#include "io/system_disk.h"
#include "liveness/ioemc.h"
#include "liveness/map.h"
#include "liveness/nested_dfs.h"
#include "liveness/owcty.h"
#include "open/open_model.h"

namespace {

using namespace spillway;

std::map<std::string, std::string> given;

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : parse_count(found->second);
}

IoemcSettings ioemc_settings(bool tiered) {
  IoemcSettings settings;
  settings.tiered = tiered;
  settings.rho1 = static_cast<double>(number("rho1", 2)) / 100;
  settings.rho2 = static_cast<double>(number("rho2", 90)) / 100;
  settings.recent = number("recent", 0);
  settings.path = number("path", 0);
  return settings;
}

constexpr Algorithm searched(std::string_view name,
                             std::unique_ptr<Search> (*make)(const SearchContext&)) {
  return {.name = name, .summary = "", .make = make, .uses_disk = true, .in_levels = false};
}

constexpr Algorithm kAlgorithms[] = {
    searched(
        "ioemc",
        [](const SearchContext& context) { return make_ioemc(context, ioemc_settings(false)); }),
    searched(
        "ioemc-tiered",
        [](const SearchContext& context) { return make_ioemc(context, ioemc_settings(true)); }),
    searched("owcty", [](const SearchContext& context) { return make_owcty(context); }),
    searched("map", [](const SearchContext& context) { return make_map(context); }),
    searched("nested-dfs", [](const SearchContext& context) { return make_nested_dfs(context); }),
};

void print(const CheckResult& result) {
  const Statistics& s = result.statistics;
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  std::string counters;
  for (const Counter& counter : s.counters)
    counters += fmt::format(", \"{}\": {}", counter.name, counter.value);
  fmt::print(
      "{{\"verdict\": \"{}\", \"states\": {}, \"transitions\": {}, \"seconds\": {:.2f}, "
      "\"cpu\": {}.{:02}, \"read\": {}, \"written\": {}{}}}\n",
      word(result.verdict.outcome), s.states, s.transitions, result.seconds, cpu.tv_sec,
      cpu.tv_nsec / 10'000'000, s.disk_bytes_read, s.disk_bytes_written, counters);
}

int run(const std::string& path, const std::string& name) {
  ReadingOptions reading;
  reading.dve.errors = DveErrors::wrap;
  reading.dve.property = DveProperty::product;
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(path, reading);
  loaded.model->prepare();
  CheckOptions options;
  options.session.deadlock = Deadlock::off;
  options.session.limits.timeout_seconds = static_cast<double>(number("timeout", 100000));
  options.memory_bytes = number("memory_bytes", std::uint64_t{32} << 20);
  std::optional<SystemDisk> disk;
  if (given.contains("disk")) options.disk = &disk.emplace(SystemDisk::Options{{given["disk"]}});
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name != name) continue;
    print(check(*loaded.model, algorithm, options));
    return 0;
  }
  fmt::print(stderr, "there is no algorithm {}\n", name);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "bench_cycles MODEL.dve ALGORITHM [NAME=VALUE]...\n");
    return 2;
  }
  for (int i = 3; i < argc; ++i) {
    const std::string assignment = argv[i];
    const std::size_t equals = assignment.find('=');
    if (equals != std::string::npos)
      given[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
