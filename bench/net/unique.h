// What the ways to remove duplicates among rows of several ranks have in common: the rows, their
// owners, and what is printed.
#pragma once

#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace spillway {

struct Plan {
  std::uint64_t rows = 0;    // of all ranks
  std::uint64_t memory = 0;  // bytes of a rank, for those that can do with little
  const char* directory = "";
};

struct Row {
  std::array<std::uint64_t, 2> words;
  auto operator<=>(const Row&) const = default;
};

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Row `i` of all: one of `rows`, drawn.  So 63% of them are different.
inline Row row(const Plan& plan, std::uint64_t i) {
  const std::uint64_t drawn = mixed(i + 1) % plan.rows;
  return {{drawn, mixed(drawn ^ 0x9e3779b97f4a7c15)}};
}

inline unsigned owner(const Row& row, unsigned ranks) {
  return static_cast<unsigned>(mixed(row.words[0]) % ranks);
}

// What a rank has found, and what it took.
struct Taken {
  std::uint64_t unique = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t disk_bytes = 0;
};

// Carries out work(), which returns a Taken, on all ranks, and prints the sums.  Rank 0 says them.
template <class Work>
void measure(const Work& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begun = std::chrono::steady_clock::now();
  const Taken taken = work();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto microseconds = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
  };
  const std::array<std::uint64_t, 5> own{taken.unique, taken.sent_bytes, taken.disk_bytes,
                                         static_cast<std::uint64_t>(used.ru_maxrss) << 10,
                                         microseconds(used.ru_utime) + microseconds(used.ru_stime)};
  std::array<std::uint64_t, 5> all{};
  MPI_Reduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0,
             MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fmt::print("{} unique, {:.3f} s, {:.3f} processor s, {} sent, {} to disk, {} memory\n", all[0],
               seconds.count(), static_cast<double>(all[4]) / 1e6, all[1], all[2], all[3]);
}

inline Plan plan_of(std::span<char*> given) {
  return {std::strtoull(given[1], nullptr, 10), std::strtoull(given[2], nullptr, 10) << 20,
          given[3]};
}

}  // namespace spillway
