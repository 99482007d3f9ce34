// Removes duplicates among rows of all ranks, by the exchange and the sorted runs of a search, or
// by MPI_Alltoallv and std::sort: mpirun -n 2 bench_unique ROWS MIB DIRECTORY runs|alltoallv
//
// bench/net/engines.py calls it.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "commit.h"
#include "io/data/system_disk.h"
#include "net/exchange.h"
#include "net/load_transport.h"
#include "net/message_buffers.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/external_sort.h"
#include "storage/runs/row_parcels.h"
#include "unique.h"

namespace spillway {
namespace {

constexpr std::size_t kWords = 2;
constexpr std::size_t kChunkBytes = std::size_t{64} << 10;
constexpr std::size_t kBatch = 65536;       // rows that are sent together
constexpr std::size_t kRound = 1'000'000;   // rows that a rank makes for one MPI_Alltoallv
constexpr std::size_t kBetweenTakes = 256;  // rows that are made between two looks

// As a search does: rows for another rank are collected, sorted, packed and sent; rows that arrive
// go into an external sort; in the end its runs are merged.
class ByRuns {
 public:
  ByRuns(Peers& peers, const Plan& plan)
      : peers_(peers),
        plan_(plan),
        exchange_(peers),
        budget_(plan.memory),
        disk_({{plan.directory}}),
        store_(budget_, disk_, kChunkBytes, shape_.most_bytes(), budget_.limit() / 8),
        sort_(budget_, store_, shape_, plan.memory / 2 / (kWords * sizeof(Word) * 2)),
        parcels_(kWords),
        waiting_(peers.ranks()) {}

  Taken work() {
    exchange_.begin();
    const std::uint64_t end = plan_.rows * (peers_.rank() + 1) / peers_.ranks();
    for (std::uint64_t i = plan_.rows * peers_.rank() / peers_.ranks(); i < end; ++i) {
      if (i % kBetweenTakes == 0) take();
      const Row made = row(plan_, i);
      const unsigned to = owner(made, peers_.ranks());
      if (to == peers_.rank()) {
        sort_.add({made.words.data(), 1, kWords});
        continue;
      }
      waiting_[to].insert(waiting_[to].end(), made.words.begin(), made.words.end());
      if (waiting_[to].size() == kBatch * kWords) send(to);
    }
    for (unsigned to = 0; to < peers_.ranks(); ++to)
      if (!waiting_[to].empty()) send(to);
    exchange_.end();
    peers_.pump_until([&] {
      while (take()) continue;
      return exchange_.is_over();
    });
    Taken taken;
    sort_.settle();
    MergeSources<kWords> sources;
    sort_.add_to(sources);
    merge_all(sources, ExternalSort<kWords>::run_shape(shape_), store_.buffers(), sort_.sorter(),
              [&](const Word*, std::size_t count) { taken.unique += count; });
    taken.sent_bytes = exchange_.bytes_sent();
    taken.disk_bytes = disk_.counters().written_bytes;
    return taken;
  }

 private:
  bool take() {
    std::optional<Exchange::Batch> batch = exchange_.take();
    if (!batch) return false;
    parcels_.unpack(batch->bytes(), [&](States rows) { sort_.add(rows); });
    message_buffers().give(std::move(batch->message));
    return true;
  }

  void send(unsigned to) {
    std::vector<Word>& rows = waiting_[to];
    std::vector<std::byte> message = parcels_.pack(
        rows.data(), rows.size() / kWords, Exchange::kRoomBefore, message_buffers().take(0));
    rows.clear();
    peers_.pump_until([&] { return exchange_.send(to, message) || (take(), false); });
  }

  Peers& peers_;
  const Plan plan_;
  Exchange exchange_;
  Budget budget_;
  const BlockShape shape_ = BlockShape::of(kWords);
  SystemDisk disk_;
  ChunkStore store_;
  ExternalSort<kWords> sort_;
  RowParcels<kWords> parcels_;
  std::vector<std::vector<Word>> waiting_;
};

// What one writes with MPI alone: all rows of a rank are in its memory.
Taken by_all_to_all(const Plan& plan) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto all = static_cast<std::size_t>(ranks);
  const auto own = static_cast<std::uint64_t>(rank);
  const std::uint64_t begin = plan.rows * own / all, end = plan.rows * (own + 1) / all;
  const std::uint64_t rounds = (plan.rows / all + kRound) / kRound;
  Taken taken;
  std::vector<Row> kept;
  std::vector<std::vector<Row>> to(all);
  std::vector<Row> out, in;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = begin + round * kRound; i < std::min(end, begin + (round + 1) * kRound);
         ++i) {
      const Row made = row(plan, i);
      to[owner(made, static_cast<unsigned>(ranks))].push_back(made);
    }
    std::vector<int> counts(all), places(all), in_counts(all), in_places(all);
    out.clear();
    for (std::size_t r = 0; r < all; ++r) {
      places[r] = static_cast<int>(out.size() * sizeof(Row));
      counts[r] = static_cast<int>(to[r].size() * sizeof(Row));
      if (r != own) taken.sent_bytes += to[r].size() * sizeof(Row);
      out.insert(out.end(), to[r].begin(), to[r].end());
      to[r].clear();
    }
    MPI_Alltoall(counts.data(), 1, MPI_INT, in_counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int bytes = 0;
    for (std::size_t r = 0; r < all; ++r) {
      in_places[r] = bytes;
      bytes += in_counts[r];
    }
    in.resize(static_cast<std::size_t>(bytes) / sizeof(Row));
    MPI_Alltoallv(out.data(), counts.data(), places.data(), MPI_BYTE, in.data(), in_counts.data(),
                  in_places.data(), MPI_BYTE, MPI_COMM_WORLD);
    kept.insert(kept.end(), in.begin(), in.end());
  }
  std::sort(kept.begin(), kept.end());
  taken.unique = static_cast<std::uint64_t>(std::unique(kept.begin(), kept.end()) - kept.begin());
  return taken;
}

int run(std::span<char*> given) {
  if (given.size() != 5)
    throw Error(Fault::usage, "usage: bench_unique ROWS MIB DIRECTORY runs|alltoallv");
  const Plan plan = plan_of(given);
  const std::unique_ptr<Transport> transport = load_transport(SPILLWAY_COMMIT);
  if (!transport) throw Error(Fault::usage, "start this by mpirun, with 2 ranks or more");
  {
    Peers peers(*transport, {1, 60});
    if (std::string(given[4]) == "runs") {
      ByRuns runs(peers, plan);
      measure([&] { return runs.work(); });
    } else {
      measure([&] { return by_all_to_all(plan); });
    }
    std::uint64_t one = 1;
    peers.add_up({&one, 1});
  }
  transport->end();
  return 0;
}

}  // namespace
}  // namespace spillway

int main(int argc, char** argv) {
  try {
    return spillway::run({argv, static_cast<std::size_t>(argc)});
  } catch (const spillway::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 150;
  }
}
