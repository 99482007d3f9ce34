#include "cli/options/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;  // below this no search can begin
// What a search takes besides its budget: rings and buffers of the kernel, tables of pages; stacks
// and free pieces of the heap.  Measured by tests/memory/spilled_peaks.py.
constexpr std::uint64_t kOfProcess = std::uint64_t{256} << 10;
constexpr std::uint64_t kOfThread = std::uint64_t{64} << 10;
// Processes with the same command differ by some hundred KiB.  Whether a search is refused must not
// depend on that, so it is decided in steps: every usual process counts as kUsualProcess.
constexpr std::uint64_t kUsualProcess = std::uint64_t{8} << 20;
constexpr std::uint64_t kStep = std::uint64_t{4} << 20;

}  // namespace

std::uint64_t memory_bytes(const CommandSettings& settings) {
  return settings.memory_bytes.value_or(memory_limit_bytes() / 10 * 7);
}

std::uint64_t least_memory_bytes(std::uint64_t taken, std::uint64_t least) {
  const std::uint64_t in_steps = (taken + kStep / 2) / kStep * kStep;
  return std::max(kUsualProcess, in_steps) + least;
}

std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads, std::uint64_t least,
                            std::uint64_t to_come, std::uint64_t spare) {
  const std::uint64_t taken = resident_bytes() + kOfProcess + to_come;
  least = std::max(least, kLeastBudget);
  constexpr std::uint64_t kMiB = 1 << 20;
  const std::uint64_t needed = (least_memory_bytes(taken, least) + kMiB - 1) / kMiB;  // in MiB
  if (memory_bytes < needed * kMiB)
    throw Error(Fault::usage, fmt::format("--memory: {} is too little; at least {} MiB is needed",
                                          bytes_text(memory_bytes), needed));
  // Whether it is enough must not depend on the number of threads.
  const std::uint64_t beside = taken + threads * kOfThread + spare;
  return std::max(least, memory_bytes - std::min(memory_bytes, beside));
}

}  // namespace spillway
