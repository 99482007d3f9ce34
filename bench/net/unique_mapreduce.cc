// Removes duplicates among rows of all ranks by MapReduce-MPI:
// mpirun -n 2 bench_unique_mapreduce ROWS MIB DIRECTORY
//
// Beside bench_unique, which bench/net/engines.py calls with the same rows.
#include <mrmpi/keyvalue.h>
#include <mrmpi/mapreduce.h>

#include "unique.h"

namespace spillway {
namespace {

// Its pages: a rank has some seven of them at a time.
constexpr std::uint64_t kPages = 8;

void make(int rank, MAPREDUCE_NS::KeyValue* pairs, void* of_plan) {
  const Plan& plan = *static_cast<const Plan*>(of_plan);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto own = static_cast<std::uint64_t>(rank);
  const auto all = static_cast<std::uint64_t>(ranks);
  for (std::uint64_t i = plan.rows * own / all; i < plan.rows * (own + 1) / all; ++i) {
    Row made = row(plan, i);
    pairs->add(reinterpret_cast<char*>(&made), sizeof made, nullptr, 0);
  }
}

Taken work(Plan plan, unsigned rank) {
  using MAPREDUCE_NS::MapReduce;
  Taken taken;
  MapReduce engine(MPI_COMM_WORLD);
  engine.memsize = static_cast<int>(plan.memory / kPages >> 20);
  engine.set_fpath(plan.directory);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  engine.map(ranks, make, &plan);
  engine.aggregate(nullptr);
  const std::uint64_t unique = engine.convert();  // of all ranks
  taken.unique = rank == 0 ? unique : 0;
  taken.sent_bytes = MapReduce::cssize;
  taken.disk_bytes = MapReduce::wsize;
  return taken;
}

}  // namespace
}  // namespace spillway

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const spillway::Plan plan = spillway::plan_of({argv, static_cast<std::size_t>(argc)});
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  spillway::measure([&] { return spillway::work(plan, static_cast<unsigned>(rank)); });
  MPI_Finalize();
  return 0;
}
