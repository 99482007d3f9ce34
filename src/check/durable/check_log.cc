#include "check/durable/check_log.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/quantity.h"
#include "storage/runs/external_sort.h"

namespace spillway {
namespace {

template <std::size_t W>
void examine_rows(Journal& journal, Budget& budget, Disk& scratch) {
  const BlockShape& shape = journal.levels().form().shape;
  const std::uint64_t memory = budget.left();
  ChunkStore store(budget, scratch, 64 << 10, shape.most_bytes(), memory / 2);
  ExternalSort<W> sort(budget, store, shape, memory / 4 / ExternalSort<W>::bytes(shape, 1) + 1);
  std::uint64_t rows = 0;
  const auto take = [&](unsigned, States states) {
    sort.add(states);
    rows += states.size();
    return states.size();
  };
  Crew alone(1);
  journal.load(alone, nullptr, {[](std::uint64_t) { return true; }, take});
  sort.settle();
  MergeSources<W> all;
  sort.add_to(all);
  std::uint64_t different = 0;
  merge_all(all, shape, store.buffers(), sort.sorter(),
            [&](const Word*, std::size_t count) { different += count; });
  if (different != rows)
    throw Error(Fault::integrity,
                fmt::format("checkpoint {}: it has {} states, but only {} distinct ones",
                            journal.generation(), with_commas(rows), with_commas(different)));
}

}  // namespace

void examine(Journal& journal, Budget& budget, Disk& scratch) {
  with_width(journal.levels().form().shape.words,
             [&](auto width) { examine_rows<width()>(journal, budget, scratch); });
}

}  // namespace spillway
