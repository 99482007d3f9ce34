// Appends and scans state files:
//
//   bench_io DIRECTORY ROW_BYTES GIGABYTES one|many [BUFFERS BLOCKS BLOCK_KIB]
//
// Prints: seconds and CPU seconds of appending, of scanning, bytes on disk, rows.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/hash/hash.h"
#include "io/data/system_disk.h"
#include "papers/storage/state_file.h"

namespace spillway {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Cost {
  double wall, cpu;
};

template <class Code>
Cost cost_of(Code code) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  code();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          cpu_seconds() - cpu};
}

// Rows as a search meets them: neighbours are alike, so there is something to compress.
class Rows {
 public:
  explicit Rows(std::size_t words) : words_(words), rows_(kMany * words) {}
  // Rows i, i+1, ...
  States get(std::uint64_t i, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      Word* row = rows_.data() + k * words_;
      row[0] = i + k;
      if (words_ > 1) row[words_ / 2] = scatter(i + k) & 0xff;
    }
    asm volatile("" ::"r"(rows_.data()) : "memory");
    return {rows_.data(), count, words_};
  }
  static constexpr std::size_t kMany = 256;

 private:
  std::size_t words_;
  std::vector<Word> rows_;
};

template <class Take>
void generate(std::size_t words, std::uint64_t count, Take take) {
  Rows rows(words);
  for (std::uint64_t i = 0; i < count; i += Rows::kMany)
    take(rows.get(i, std::min<std::uint64_t>(Rows::kMany, count - i)));
}

int run(int count, char** words) {
  if (count < 5)
    return std::fputs(
               "usage: bench_io DIRECTORY ROW_BYTES GIGABYTES one|many [BUFFERS BLOCKS "
               "BLOCK_KIB]\n",
               stderr),
           2;
  const std::size_t row_words = (std::strtoull(words[2], nullptr, 10) + 7) / 8;
  const auto bytes = static_cast<std::uint64_t>(std::strtod(words[3], nullptr) * 1e9);
  Store::Options options;
  options.behind = {8, 0};
  options.ahead = {8, 0};
  if (count > 7) {
    options.behind = {std::strtoull(words[5], nullptr, 10), std::strtoull(words[6], nullptr, 10)};
    options.ahead = {options.behind.buffers, options.behind.blocks};
    options.block_bytes = std::strtoull(words[7], nullptr, 10) << 10;
  }
  const bool many = words[4] == std::string_view("many");
  SystemDisk disk({{words[1]}});
  Budget budget(std::uint64_t{256} << 20);
  Store store(disk, budget, {row_words, 0}, options);
  StateFile file(store);
  const std::uint64_t rows = bytes / (row_words * 8);
  const Cost making = cost_of([&] { generate(row_words, rows, [](States) {}); });
  const Cost append = cost_of([&] {
    generate(row_words, rows, [&](States batch) {
      if (many) return file.append(batch);
      for (const State state : batch) file.append(state);
    });
    file.release();
  });
  Word sum = 0;
  const Cost scan = cost_of([&] {
    Scan scanning = file.scan();
    if (many)
      for (States batch = scanning.next_rows(); !batch.empty(); batch = scanning.next_rows())
        for (const State state : batch) sum += state[0];
    else
      for (const State state : scanning) sum += state[0];
  });
  if (sum != (rows % 2 == 0 ? rows / 2 * (rows - 1) : (rows - 1) / 2 * rows))
    return std::fputs("wrong sum\n", stderr), 1;
  fmt::print("{} {} {} {} {} {} {}\n", append.wall, append.cpu, scan.wall, scan.cpu,
             file.disk_bytes(), rows, making.cpu);
  return 0;
}

}  // namespace
}  // namespace spillway

int main(int count, char** words) { return spillway::run(count, words); }
