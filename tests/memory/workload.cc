// Uses a memory budget up, and passes many bytes through files and queues: memory_workload
// DIRECTORY BUDGET_MIB GIGABYTES
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "io/data/system_disk.h"
#include "papers/storage/state_file.h"
#include "papers/storage/state_queue.h"
#include "papers/storage/state_table.h"

namespace spillway {
namespace {

void run(const char* directory, std::uint64_t budget_bytes, std::uint64_t bytes) {
  constexpr std::size_t kWords = 5;
  SystemDisk disk({{directory}});
  Budget budget(budget_bytes);
  Store store(disk, budget, {kWords, 0});
  StateFile file(store);
  StateQueue queue(store);
  std::vector<Word> rows(kWords * 100);
  file.append(States(rows.data(), 100, kWords));
  const std::uint64_t scan_bytes = std::uint64_t{1} << 20;
  // all the rest, and every page of it is touched
  StateTable table(store, budget.left() - scan_bytes);
  for (Word i = 0; !table.full(); ++i) table.insert(std::vector<Word>{i, i, i, i, i});
  // Half of the bytes are written, half are read, in rounds, so that the disk need not hold them
  // all.
  const std::uint64_t rounds = 8;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < bytes / rounds / 4 / (rows.size() * 8); ++i) {
      rows[0] = i;
      file.append(States(rows.data(), 100, kWords));
      for (std::size_t k = 0; k < 100; ++k) queue.push(State(rows.data() + k * kWords, kWords));
    }
    std::uint64_t read = 0;
    for (const State state : file.scan()) read += state.size() > 0 ? 1 : 0;
    SPILLWAY_CHECK(read == file.size());
    while (queue.pop()) {
    }
    file.clear();
  }
  const IoCounters& counters = disk.counters();
  std::printf("%llu bytes through the disk, %llu of %llu bytes of the budget; %s\n",
              static_cast<unsigned long long>(counters.read_bytes + counters.written_bytes),
              static_cast<unsigned long long>(budget.peak()),
              static_cast<unsigned long long>(budget.limit()), disk.describe().c_str());
}

}  // namespace
}  // namespace spillway

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    spillway::run(words[1], std::strtoull(words[2], nullptr, 10) << 20,
                  static_cast<std::uint64_t>(std::strtod(words[3], nullptr) * 1e9));
  } catch (const spillway::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
