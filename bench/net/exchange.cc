// Records per second of an Exchange over MPI, beside MPI_Alltoallv with the same bytes in the same
// processes: mpirun -n 2 bench_exchange [MiB to each rank] [KiB of a message] [runs] [work]
//
// Both ways take turns, and the order changes from run to run.  work=1: records are made before
// they are sent, and added up when they have arrived, in both ways alike.  work=0: bytes are moved,
// and that is all.  Rank 0 prints what each run took; bench/net/exchange.py reads that.
#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "commit.h"
#include "net/exchange.h"
#include "net/load_transport.h"
#include "net/message_buffers.h"

namespace spillway {
namespace {

struct Record {
  std::uint64_t first;
  std::uint64_t second;
};

struct Plan {
  std::size_t batches = 0;  // from each rank to each other one
  std::size_t batch_bytes = 0;
  int runs = 0;
  bool has_work = false;
};

// The records of a batch, which depend on who has made it.
void make_records(std::span<std::byte> bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Record)) {
    const Record record{seed + i, (seed ^ i) * 0x9e3779b97f4a7c15};
    std::memcpy(&bytes[i], &record, sizeof record);
  }
}

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Record)) {
    Record record;
    std::memcpy(&record, &bytes[i], sizeof record);
    sum += record.first ^ record.second;
  }
  return sum;
}

std::uint64_t seed_of(unsigned from, unsigned to, std::size_t batch) {
  return (std::uint64_t{from} << 56) + (std::uint64_t{to} << 48) + batch * 1'000'003;
}

std::uint64_t by_exchange(Peers& peers, Exchange& exchange, const Plan& plan) {
  std::uint64_t sum = 0;
  const auto take = [&] {
    std::optional<Exchange::Batch> batch = exchange.take();
    if (!batch) return false;
    if (plan.has_work) sum += sum_of(batch->bytes());
    message_buffers().give(std::move(batch->message));
    return true;
  };
  exchange.begin();
  for (std::size_t i = 0; i < plan.batches; ++i)
    for (unsigned step = 1; step < peers.ranks(); ++step) {
      const unsigned to = (peers.rank() + step) % peers.ranks();
      std::vector<std::byte> message =
          message_buffers().take(Exchange::kRoomBefore + plan.batch_bytes);
      if (plan.has_work)
        make_records(std::span(message).subspan(Exchange::kRoomBefore),
                     seed_of(peers.rank(), to, i));
      peers.pump_until([&] {
        if (exchange.send(to, message)) return true;
        take();
        return exchange.send(to, message);
      });
    }
  exchange.end();
  peers.pump_until([&] {
    while (take()) continue;
    return exchange.is_over();
  });
  return sum;
}

// As many rounds as there are batches.
std::uint64_t by_all_to_all(const Peers& peers, const Plan& plan, std::vector<std::byte>& out,
                            std::vector<std::byte>& in) {
  std::uint64_t sum = 0;
  std::vector<int> counts(peers.ranks(), static_cast<int>(plan.batch_bytes));
  counts[peers.rank()] = 0;
  std::vector<int> places(peers.ranks());
  for (unsigned i = 0; i < peers.ranks(); ++i) places[i] = static_cast<int>(i * plan.batch_bytes);
  const auto part = [&](std::vector<std::byte>& of, unsigned rank) {
    return std::span(of).subspan(rank * plan.batch_bytes, plan.batch_bytes);
  };
  for (std::size_t i = 0; i < plan.batches; ++i) {
    for (unsigned to = 0; plan.has_work && to < peers.ranks(); ++to)
      if (to != peers.rank()) make_records(part(out, to), seed_of(peers.rank(), to, i));
    MPI_Alltoallv(out.data(), counts.data(), places.data(), MPI_BYTE, in.data(), counts.data(),
                  places.data(), MPI_BYTE, MPI_COMM_WORLD);
    for (unsigned from = 0; plan.has_work && from < peers.ranks(); ++from)
      if (from != peers.rank()) sum += sum_of(part(in, from));
  }
  return sum;
}

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Taken {
  double seconds = 0;
  double processor_seconds = 0;  // of this rank
};

template <class Work>
Taken taken_by(Peers& peers, const Work& work, std::uint64_t& sum) {
  std::uint64_t one = 1;
  peers.add_up({&one, 1});
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begun = std::chrono::steady_clock::now();
  const double used = processor_seconds();
  sum = work();
  MPI_Barrier(MPI_COMM_WORLD);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
          processor_seconds() - used};
}

void measure(Peers& peers, const Plan& plan) {
  Exchange exchange(peers);
  std::vector<std::byte> out(peers.ranks() * plan.batch_bytes);
  std::vector<std::byte> in(out.size());
  const std::array<const char*, 2> names{"exchange", "alltoallv"};
  const double records =
      static_cast<double>(plan.batches * plan.batch_bytes / sizeof(Record)) * (peers.ranks() - 1);
  for (int run = -1; run < plan.runs; ++run) {  // the first one is not counted
    std::array<std::uint64_t, 2> sums{};
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const std::size_t way = (turn + static_cast<std::size_t>(run + 1)) % 2;
      const Taken taken = taken_by(
          peers,
          [&] {
            return way == 0 ? by_exchange(peers, exchange, plan)
                            : by_all_to_all(peers, plan, out, in);
          },
          sums[way]);
      if (run >= 0 && peers.rank() == 0)
        fmt::print("{} {:.6f} s {:.3f} M records/s and {:.2f} ns of a processor for each\n",
                   names[way], taken.seconds, records / taken.seconds / 1e6,
                   taken.processor_seconds * 1e9 / records);
    }
    if (sums[0] != sums[1]) throw Error(Fault::integrity, "the sums of the records differ");
  }
}

std::size_t argument(std::span<char*> given, std::size_t at, std::size_t otherwise) {
  return at < given.size() ? std::strtoull(given[at], nullptr, 10) : otherwise;
}

int run(std::span<char*> given) {
  const std::unique_ptr<Transport> transport = load_transport(SPILLWAY_COMMIT);
  if (!transport) throw Error(Fault::usage, "start this by mpirun, with 2 ranks or more");
  Plan plan;
  plan.batch_bytes = argument(given, 2, 256) << 10;
  plan.batches = (argument(given, 1, 256) << 20) / plan.batch_bytes;
  plan.runs = static_cast<int>(argument(given, 3, 5));
  plan.has_work = argument(given, 4, 1) != 0;
  {
    Peers peers(*transport, {1, 60});
    measure(peers, plan);
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
