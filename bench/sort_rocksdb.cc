// Puts the keys of bench_sort into RocksDB, each if it is not there:
//
//   bench_sort_rocksdb DIRECTORY KEYS MIB SECONDS
//
// Stops after SECONDS.  Prints: seconds, keys.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "sort_keys.h"

int main(int count, char** words) {
  if (count < 5)
    return std::fputs("usage: bench_sort_rocksdb DIRECTORY KEYS MIB SECONDS\n", stderr), 2;
  const std::uint64_t keys = std::strtoull(words[2], nullptr, 10);
  const std::uint64_t memory = std::strtoull(words[3], nullptr, 10) << 20;
  const double most = std::strtod(words[4], nullptr);

  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(memory / 2);
  table.cache_index_and_filter_blocks = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocksdb::Options options;
  options.create_if_missing = true;
  options.IncreaseParallelism(2);
  options.write_buffer_size = memory / 8;
  options.max_write_buffer_number = 3;
  options.compression = rocksdb::kNoCompression;
  options.use_direct_reads = true;
  options.use_direct_io_for_flush_and_compaction = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(options, std::string(words[1]) + "/rocksdb", &opened);
  if (!status.ok()) return std::fputs((status.ToString() + "\n").c_str(), stderr), 1;
  const std::unique_ptr<rocksdb::DB> db(opened);

  rocksdb::WriteOptions write;
  write.disableWAL = true;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::uint64_t done = 0;
  std::string found;
  for (; done < keys; ++done) {
    if (done % 4096 == 0 && seconds() > most) break;
    const std::uint64_t key = spillway::key(done);
    const rocksdb::Slice slice(reinterpret_cast<const char*>(&key), sizeof(key));
    if (db->Get({}, slice, &found).IsNotFound()) db->Put(write, slice, rocksdb::Slice());
  }
  fmt::print("{:.2f} {}\n", seconds(), done);
}
