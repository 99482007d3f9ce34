// The keys of bench_sort in a vector of STXXL, sorted by it: bench_sort_stxxl DIRECTORY KEYS MIB
// Prints: seconds, seconds until the last key was added, keys, a sum that depends on their order.
#include <fmt/format.h>
#include <stxxl/io>
#include <stxxl/sort>
#include <stxxl/vector>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>

#include "sort_keys.h"

struct Below {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a < b; }
  static std::uint64_t min_value() { return 0; }
  static std::uint64_t max_value() { return std::numeric_limits<std::uint64_t>::max(); }
};

int main(int count, char** words) {
  if (count < 4) return std::fputs("usage: bench_sort_stxxl DIRECTORY KEYS MIB\n", stderr), 2;
  const std::uint64_t keys = std::strtoull(words[2], nullptr, 10);
  const std::uint64_t memory = std::strtoull(words[3], nullptr, 10) << 20;
  stxxl::disk_config disk(std::string(words[1]) + "/stxxl", keys * 8 * 2 + (std::uint64_t{1} << 30),
                          "linuxaio unlink");
  disk.direct = stxxl::disk_config::DIRECT_ON;
  stxxl::config::get_instance()->add_disk(disk);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  stxxl::VECTOR_GENERATOR<std::uint64_t, 4, 8, 1 << 20>::result vector(keys);
  {
    decltype(vector)::bufwriter_type writer(vector);
    for (std::uint64_t i = 0; i < keys; ++i) writer << spillway::key(i);
  }
  const double added = seconds();
  stxxl::sort(vector.begin(), vector.end(), Below(),
              memory / 16 * 13);  // the rest is for its buffers
  const double all = seconds();
  spillway::OrderedSum sum;
  for (decltype(vector)::bufreader_type reader(vector); !reader.empty(); ++reader) sum.add(*reader);
  fmt::print("{:.2f} {:.2f} {} {:x}\n", all, added, sum.count, sum.sum);
}
