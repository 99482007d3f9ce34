#include "cli/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/machine.h"
#include "base/quantity.h"

namespace spillway {
namespace {

constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;  // below this no search can begin
// What a search takes besides its budget: rings and buffers of the kernel, tables of pages; stacks
// and free pieces of the heap.  Measured by tests/memory/spilled_peaks.py.
constexpr std::uint64_t kOfProcess = std::uint64_t{256} << 10;
constexpr std::uint64_t kOfThread = std::uint64_t{64} << 10;

}  // namespace

std::uint64_t memory_bytes(const Settings& settings) {
  return settings.memory_bytes.value_or(memory_limit_bytes() / 10 * 7);
}

std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads, std::uint64_t least,
                            std::uint64_t to_come) {
  const std::uint64_t taken = resident_bytes() + kOfProcess + to_come;
  least = std::max(least, kLeastBudget);
  if (memory_bytes < taken + least) {
    // In whole MiB, and one more: the next process may take some pages more than this one.
    throw Error(Fault::usage, fmt::format("--memory: {} is too little; at least {} MiB is needed",
                                          bytes_text(memory_bytes), ((taken + least) >> 20) + 2));
  }
  // Whether it is enough must not depend on the number of threads.
  return std::max(least,
                  memory_bytes - taken - std::min(memory_bytes - taken, threads * kOfThread));
}

}  // namespace spillway
