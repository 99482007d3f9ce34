// One run of an algorithm of the papers, as a line of JSON for bench/papers/papers.py.
//
//   bench_papers MODEL ALGORITHM [NAME=VALUE]...
//
// ALGORITHM: ram, mono, local, part, part-cache, hddd, dddd, cached, disk, serial.
// NAME=VALUE: table_states (that fit into the table), cache_states, all_bytes (of tables and
// buffers together, instead of these two), partitions, open (1: table with open addressing),
// fill_percent (of an open table), k (lengths of partial detection), detect_always (1), signature
// (bits), disk (a directory), timeout (seconds), const:NAME (a constant of the model), symmetry (1:
// as the model says).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "arguments.h"
#include "base/process/machine.h"
#include "check/check.h"
#include "io/data/system_disk.h"
#include "language/dve/dve.h"
#include "open/open_model.h"
#include "papers/states/dddd.h"
#include "papers/states/hddd.h"
#include "papers/states/part.h"
#include "papers/states/serial.h"
#include "search/ram/ram.h"
#include "search/runs/sorted_runs.h"

namespace {

using namespace spillway;

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  return arguments().number(name, otherwise);
}

// Blocks that are in memory at a time: each queue has two behind, two ahead and its front.
std::uint64_t open_blocks() {
  const std::string& name = arguments().algorithm;
  const std::uint64_t partitions = number("partitions", 16);
  if (name.starts_with("part")) return 5 * partitions + 8;
  return name == "hddd" || name == "dddd" ? 4 * partitions + 24 : 24;
}

// With `all_bytes`: blocks for at most a quarter of it, and the rest for tables.
template <class Settings>
void share_out(Settings& settings, std::uint64_t all) {
  const std::uint64_t block = std::bit_floor(all / 4 / open_blocks());
  settings.block_bytes = std::clamp<std::uint64_t>(block, 4 << 10, 64 << 10);
  const std::uint64_t blocks = open_blocks() * settings.block_bytes;
  settings.table_bytes = all > 2 * blocks ? all - blocks : all / 2;
  if (arguments().algorithm == "hddd" || arguments().algorithm == "dddd")
    settings.cache_bytes = settings.table_bytes /= 2;
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
  if (arguments().has("all_bytes")) share_out(settings, number("all_bytes", 0));
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

constexpr Algorithm on_disk(std::string_view name, MakeSearch make, bool in_levels = true) {
  return {.name = name, .summary = "", .states = make, .uses_disk = true, .in_levels = in_levels};
}

constexpr Algorithm kAlgorithms[] = {
    {.name = "ram", .summary = "", .states = make_ram},
    on_disk("sorted-runs", make_sorted_runs),
    on_disk("mono", mono),
    on_disk("local", local),
    on_disk("part", part, false),
    on_disk("part-cache", part_cache, false),
    on_disk("hddd", hddd),
    on_disk("dddd", dddd),
    on_disk("cached", cached),
    on_disk("disk", disk),
    on_disk("serial", serial),
};

int run() {
  OpeningOptions reading;
  reading.chosen["--dve-errors"] = static_cast<std::size_t>(DveErrors::wrap);
  if (number("symmetry", 0) == 0) reading.symmetry = SymmetryMode::off;
  for (const auto& [key, value] : arguments().given)
    if (key.starts_with("const:"))
      reading.constants[key.substr(6)] = static_cast<std::int64_t>(parse_count(value));
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(arguments().model, reading);
  loaded.model->runtime().prepare();
  std::string said;
  CheckOptions options;
  options.session.limits.timeout_seconds = static_cast<double>(number("timeout", 100000));
  options.session.announcer = [&](const std::string& sentence) { said += sentence + "; "; };
  options.memory_bytes = number("memory_bytes", memory_limit_bytes() / 10 * 8);
  options.signatures.bits = static_cast<unsigned>(number("signature", 0));
  SystemDisk system_disk({{arguments().text("disk", "/var/tmp")}});
  options.disk = &system_disk;
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name != arguments().algorithm) continue;
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
        "\"budget_peak\": {}, "
        "\"said\": \"{}\", "
        "\"activities\": {{{}}}}}\n",
        word(result.verdict.outcome), result.verdict.reason, s.states, s.transitions,
        s.levels.size(), result.seconds, cpu, s.disk_bytes_read, s.disk_bytes_written,
        loaded.model->words(), result.budget_peak_bytes, said, activities);
    return 0;
  }
  fmt::print(stderr, "there is no algorithm {}\n", arguments().algorithm);
  return 2;
}

}  // namespace

int main(int argc, char** argv) { return spillway::run_with_arguments(argc, argv, run); }
