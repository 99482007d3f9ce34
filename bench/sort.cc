// Sorts scattered 64-bit keys: bench_sort DIRECTORY KEYS MIB THREADS [lz4]
// Prints: seconds, seconds until the last key was added, keys, a sum that depends on their order,
// bytes on disk per key.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/process/crew.h"
#include "io/data/system_disk.h"
#include "sort_keys.h"
#include "storage/runs/external_sort.h"

namespace spillway {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
constexpr std::size_t kBatch = 256;
constexpr std::size_t kMergeRows = std::size_t{32} << 10;
constexpr std::size_t kPartsOfAThread = 8;

int run(int count, char** words) {
  if (count < 5)
    return std::fputs("usage: bench_sort DIRECTORY KEYS MIB THREADS [lz4]\n", stderr), 2;
  const std::uint64_t keys = std::strtoull(words[2], nullptr, 10);
  Budget budget(std::strtoull(words[3], nullptr, 10) << 20);
  Crew crew(static_cast<unsigned>(std::strtoul(words[4], nullptr, 10)));
  BlockShape shape = BlockShape::of(1);
  shape.compressed = count > 5;
  SystemDisk disk({{words[1]}});
  ChunkStore store(budget, disk, kChunkBytes, shape.most_bytes(), budget.limit());  // all to disk
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };

  std::vector<std::unique_ptr<ExternalSort<1>>> sorts;
  for (unsigned i = 0; i < crew.size(); ++i)
    sorts.push_back(std::make_unique<ExternalSort<1>>(
        budget, store, shape, budget.limit() / 4 * 3 / crew.size() / sizeof(Word)));
  crew.each([&](unsigned w) {
    std::vector<Word> batch;
    const std::uint64_t end = keys * (w + 1) / crew.size();
    for (std::uint64_t i = keys * w / crew.size(); i < end; i += kBatch) {
      batch.clear();
      for (std::uint64_t k = i; k < std::min(end, i + kBatch); ++k) batch.push_back(key(k));
      sorts[w]->add({batch.data(), batch.size(), 1});
    }
    sorts[w]->settle();
  });
  const double added = seconds();

  MergeSources<1> sources;
  for (const auto& sort : sorts) sort->add_to(sources);
  const auto cuts = sources.cuts(kPartsOfAThread * crew.size(), 1);
  std::vector<SortedRun<1>> parts;
  for (std::size_t i = 0; i <= cuts.size(); ++i) parts.emplace_back(budget, shape);
  std::vector<OrderedSum> sums(parts.size());
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned w) {
    BlockPacker<1> packer(shape);
    BlockUnpacker<1> unpacker(shape);
    const std::size_t room = RowMerge<1>::room(sources, kMergeRows);
    std::vector<Word> rows(room);
    for (std::size_t i; (i = next.fetch_add(1)) < parts.size();) {
      ReadAhead ahead(store.buffers(), 16);
      RowMerge<1> merge(sources, unpacker, ahead, 1, i == 0 ? nullptr : cuts[i - 1].data(),
                        i == cuts.size() ? nullptr : cuts[i].data());
      RunWriter<1> writer(store, packer);
      while (const std::size_t some = merge.next(sorts[w]->sorter(), rows.data(), room)) {
        writer.add(rows.data(), some);
        for (std::size_t k = 0; k < some; ++k) sums[i].add(rows[k]);
      }
      parts[i] = writer.finish();
    }
  });
  OrderedSum sum;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sum.add(sums[i]);
    bytes += parts[i].disk_bytes();
  }
  fmt::print("{:.2f} {:.2f} {} {:x} {:.2f}\n", seconds(), added, sum.count, sum.sum,
             static_cast<double>(bytes) / static_cast<double>(sum.count));
  return 0;
}

}  // namespace
}  // namespace spillway

int main(int count, char** words) { return spillway::run(count, words); }
