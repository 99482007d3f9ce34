// Perfect hashes of scattered 64-bit keys, ours and those of libraries that are installed:
//
//   bench_perfect_hash DIRECTORY KEYS MIB [QUERIES]
//
// Prints a row for each: name, bits a key, ns a key to build, ns a query of a random member.  MIB
// is the budget of ours; those of libraries take what they take.  With the hash on disk, QUERIES
// are asked; otherwise every key once.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "io/data/system_disk.h"
#include "papers/hash/perfect_hash.h"
#ifdef SPILLWAY_BBHASH
#include <BooPHF.h>
#endif
#ifdef SPILLWAY_CMPH
#include <cmph.h>
#endif

namespace spillway {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_now() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

std::uint64_t member(std::uint64_t i) { return scatter(i + 1); }

// Asks for members in another order than that of the keys.
template <class Hash>
double query_ns(std::uint64_t keys, std::uint64_t queries, Hash hash,
                clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  std::uint64_t sum = 0;
  const double start = seconds_of(clock);
  for (std::uint64_t i = 0; i < queries; ++i) sum += hash(member(place_of(scatter(~i), keys)));
  const double ns = (seconds_of(clock) - start) * 1e9 / static_cast<double>(queries);
  return sum == 0 && keys > 2 ? -1 : ns;  // so that it is computed
}

void print_row(std::string_view name, std::uint64_t keys, std::uint64_t bytes, double seconds,
               double query) {
  const auto n = static_cast<double>(keys);
  fmt::print("{:20} {:6.2f} bits  {:6.0f} ns to build  {:7.0f} ns a query\n", name,
             static_cast<double>(bytes) * 8 / n, seconds * 1e9 / n, query);
}

void measure_ours(Disk& disk, std::uint64_t keys, std::uint64_t bytes, std::uint64_t queries,
                  bool on_disk) {
  Budget budget(bytes);
  PerfectHashSettings settings;
  settings.on_disk = on_disk;
  const auto each = [keys](const std::function<void(State)>& visit) {
    for (std::uint64_t i = 0; i < keys; ++i) {
      const Word key = member(i);
      visit({&key, 1});
    }
  };
  const double start = seconds_now();
  PerfectHash hash(budget, disk, keys, each, settings, [] {});
  const double seconds = seconds_now() - start;
  const double query = query_ns(
      keys, on_disk ? queries : keys,
      [&](std::uint64_t key) {
        const Word word = key;
        return hash({&word, 1});
      },
      on_disk ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID);
  print_row(on_disk ? "ours, on disk" : "ours, in memory", keys,
            on_disk ? hash.disk_bytes() : hash.memory_bytes(), seconds, query);
}

#ifdef SPILLWAY_BBHASH
void measure_bbhash(std::uint64_t keys, double gamma) {
  std::vector<std::uint64_t> all(keys);
  for (std::uint64_t i = 0; i < keys; ++i) all[i] = member(i);
  using Hash = boomphf::mphf<std::uint64_t, boomphf::SingleHashFunctor<std::uint64_t>>;
  const double start = seconds_now();
  Hash hash(keys, all, 1, gamma, false, false);
  const double seconds = seconds_now() - start;
  print_row(fmt::format("BBHash, gamma {}", gamma), keys, hash.totalBitSize() / 8, seconds,
            query_ns(keys, keys, [&](std::uint64_t key) { return hash.lookup(key); }));
}
#endif

#ifdef SPILLWAY_CMPH
void measure_cmph(std::uint64_t keys, CMPH_ALGO algorithm, std::string_view name) {
  struct Key {
    char bytes[8];
  };
  std::vector<std::uint64_t> all(keys);
  for (std::uint64_t i = 0; i < keys; ++i) all[i] = member(i);
  cmph_io_adapter_t* const source = cmph_io_struct_vector_adapter(
      all.data(), sizeof(Key), 0, sizeof(Key), static_cast<cmph_uint32>(keys));
  cmph_config_t* const config = cmph_config_new(source);
  cmph_config_set_algo(config, algorithm);
  const double start = seconds_now();
  cmph_t* const hash = cmph_new(config);
  const double seconds = seconds_now() - start;
  cmph_config_destroy(config);
  if (hash == nullptr) return fmt::print("{:20} failed\n", name);
  print_row(
      name, keys, cmph_packed_size(hash), seconds, query_ns(keys, keys, [&](std::uint64_t key) {
        return std::uint64_t{cmph_search(hash, reinterpret_cast<const char*>(&key), sizeof key)};
      }));
  cmph_destroy(hash);
  cmph_io_struct_vector_adapter_destroy(source);
}
#endif

int run(int count, char** words) {
  if (count < 4)
    return std::fputs("usage: bench_perfect_hash DIRECTORY KEYS MIB [QUERIES]\n", stderr), 2;
  const std::uint64_t keys = std::strtoull(words[2], nullptr, 10);
  const std::uint64_t bytes = std::strtoull(words[3], nullptr, 10) << 20;
  const std::uint64_t queries = count > 4 ? std::strtoull(words[4], nullptr, 10) : 100'000;
  SystemDisk disk({{words[1]}});
  measure_ours(disk, keys, bytes, queries, false);
  measure_ours(disk, keys, bytes, queries, true);
#ifdef SPILLWAY_BBHASH
  for (const double gamma : {1.0, 2.0}) measure_bbhash(keys, gamma);
#endif
#ifdef SPILLWAY_CMPH
  measure_cmph(keys, CMPH_BDZ, "cmph, BDZ");
  measure_cmph(keys, CMPH_CHD, "cmph, CHD");
#endif
  return 0;
}

}  // namespace
}  // namespace spillway

int main(int count, char** words) { return spillway::run(count, words); }
