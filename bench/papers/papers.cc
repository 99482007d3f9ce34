// One run of an algorithm of the papers, as a line of JSON for bench/papers/papers.py.
//
//   bench_papers MODEL ALGORITHM [NAME=VALUE]...
//
// ALGORITHM: ram, mono, local, part, part-cache, hddd, dddd, cached, disk, serial.
// NAME=VALUE: table_states (that fit into the table), cache_states, partitions, open (1: table with
// open addressing), fill_percent (of an open table), k (lengths of partial detection),
// detect_always (1), signature (bits), disk (a directory), timeout (seconds), const:NAME (a
// constant of the model), symmetry (1: as the model says).
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <string>

#include "base/machine.h"
#include "base/quantity.h"
#include "check/check.h"
#include "io/system_disk.h"
#include "open/open_model.h"
#include "papers/dddd.h"
#include "papers/hddd.h"
#include "papers/part.h"
#include "papers/serial.h"
#include "safety/ram.h"
#include "safety/sorted_runs.h"

namespace {

using namespace spillway;

std::map<std::string, std::string> given;

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : parse_count(found->second);
}

// With room for the states that were asked for; the entries of both tables are about as long.
template <class Settings>
Settings sized(const SearchContext& context) {
  Settings settings;
  const unsigned bits = context.signatures.bits;
  const std::uint64_t row_bytes = 8 * (context.session.model.words() + (bits == 0 ? 0 : 1));
  const bool whole_rows =
      std::is_same_v<Settings, DdddSettings> || std::is_same_v<Settings, Sizes>;  // in tables
  const std::uint64_t entry = (bits == 0 || whole_rows ? row_bytes : 8) + 9;
  settings.table_bytes = number("table_states", 1 << 20) * entry;
  settings.cache_bytes = number("cache_states", 1 << 16) * entry;
  settings.partitions = number("partitions", 16);
  settings.block_bytes = 64 << 10;
  settings.counting = false;
  return settings;
}

TableKind table_kind() {
  return {number("open", 0) != 0, static_cast<double>(number("fill_percent", 90)) / 100};
}

std::unique_ptr<Search> mono(const SearchContext& context) {
  auto settings = sized<MonoSettings>(context);
  settings.table = table_kind();
  return make_mono(context, settings);
}
std::unique_ptr<Search> local(const SearchContext& context) {
  auto settings = sized<LocalSettings>(context);
  settings.table = table_kind();
  return make_local(context, settings);
}
std::unique_ptr<Search> part(const SearchContext& context) {
  return make_part(context, sized<PartSettings>(context));
}
std::unique_ptr<Search> part_cache(const SearchContext& context) {
  auto settings = sized<PartSettings>(context);
  settings.cache = true;
  return make_part(context, settings);
}
std::unique_ptr<Search> hddd(const SearchContext& context) {
  return make_hddd(context, sized<Sizes>(context));
}
std::unique_ptr<Search> dddd(const SearchContext& context) {
  auto settings = sized<DdddSettings>(context);
  settings.lengths = number("k", 4);
  if (number("detect_always", 0) != 0) settings.forced = [](std::uint64_t) { return true; };
  return make_dddd(context, settings);
}
std::unique_ptr<Search> cached(const SearchContext& context) {
  return make_cached(context, sized<CachedSettings>(context));
}
std::unique_ptr<Search> disk(const SearchContext& context) {
  return make_disk(context, sized<DiskSettings>(context));
}
std::unique_ptr<Search> serial(const SearchContext& context) {
  return make_serial(context, {sized<CachedSettings>(context), sized<DiskSettings>(context)});
}

constexpr Algorithm kAlgorithms[] = {
    {"ram", "", [](const SearchContext& context) { return make_ram(context); }},
    {"sorted-runs", "", [](const SearchContext& context) { return make_sorted_runs(context); },
     true},
    {"mono", "", mono, true},
    {"local", "", local, true},
    {"part", "", part, true, nullptr, false},
    {"part-cache", "", part_cache, true, nullptr, false},
    {"hddd", "", hddd, true},
    {"dddd", "", dddd, true},
    {"cached", "", cached, true},
    {"disk", "", disk, true},
    {"serial", "", serial, true},
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int run(const std::string& path, const std::string& name) {
  ReadingOptions reading;
  reading.dve.errors = DveErrors::wrap;
  if (number("symmetry", 0) == 0) reading.symmetry = SymmetryMode::off;
  for (const auto& [key, value] : given)
    if (key.starts_with("const:"))
      reading.murphi.constants[key.substr(6)] = static_cast<std::int64_t>(parse_count(value));
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(path, reading);
  loaded.model->prepare();
  std::string said;
  CheckOptions options;
  options.session.limits.timeout_seconds = static_cast<double>(number("timeout", 100000));
  options.session.announcer = [&](const std::string& sentence) { said += sentence + "; "; };
  options.memory_bytes = number("memory_bytes", memory_limit_bytes() / 10 * 8);
  options.signatures.bits = static_cast<unsigned>(number("signature", 0));
  SystemDisk system_disk({{given.contains("disk") ? given["disk"] : "/var/tmp"}});
  options.disk = &system_disk;
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name != name) continue;
    const double cpu_before = cpu_seconds();
    const CheckResult result = check(*loaded.model, algorithm, options);
    const double cpu = cpu_seconds() - cpu_before;
    const Statistics& s = result.statistics;
    std::string activities;
    for (std::size_t i = 0; s.activities && i < kActivities.size(); ++i)
      activities +=
          fmt::format("{}\"{}\": {:.3f}", i == 0 ? "" : ", ", kActivities[i], (*s.activities)[i]);
    fmt::print(
        "{{\"verdict\": \"{}\", \"reason\": \"{}\", \"states\": {}, \"transitions\": {}, "
        "\"levels\": {}, "
        "\"seconds\": {:.3f}, \"cpu\": {:.3f}, \"read\": {}, \"written\": {}, \"words\": {}, "
        "\"said\": \"{}\", "
        "\"activities\": {{{}}}}}\n",
        word(result.verdict.outcome), result.verdict.reason, s.states, s.transitions,
        s.levels.size(), result.seconds, cpu, s.disk_bytes_read, s.disk_bytes_written,
        loaded.model->words(), said, activities);
    return 0;
  }
  fmt::print(stderr, "there is no algorithm {}\n", name);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "bench_papers MODEL ALGORITHM [NAME=VALUE]...\n");
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
