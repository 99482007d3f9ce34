// Sorts rows that all threads of a crew add, and visits them in order, in parts of which each
// belongs to one thread.  Works in any amount of memory (external_sort.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/process/crew.h"
#include "storage/runs/external_sort.h"
#include "storage/runs/run_merge.h"
#include "storage/runs/team.h"

namespace spillway {

// Called now and then by any thread of a crew while something takes long.  Throws to end it.
using PollOfThread = std::function<void(unsigned thread)>;

template <std::size_t W>
class CrewSort {
 public:
  // Room for `rows` rows of each thread at a time.  `poll` is called now and then while runs are
  // merged, which may take long, by the thread that adds rows.  Throws Error(usage) or
  // Error(memory) if the budget is too small.
  CrewSort(ChunkStore& store, const BlockShape& shape, unsigned threads, std::size_t rows,
           std::size_t fan_in, const PollOfThread& poll = {}) {
    for (unsigned i = 0; i < threads; ++i) {
      sorts_.push_back(
          std::make_unique<ExternalSort<W>>(store.budget(), store, shape, rows, fan_in));
      if (poll) sorts_.back()->poll_with([poll, i] { poll(i); });
    }
  }

  // Where a thread adds its rows.
  ExternalSort<W>& of(unsigned thread) { return *sorts_[thread]; }

  // After the last row was added.
  void settle(Crew& crew) {
    share_out(crew, sorts_.size(), sorts_.size(),
              [&](unsigned, std::size_t i) { sorts_[i]->settle(); });
  }
  // Views, valid until clear().  REQUIRES: settle().
  void add_to(MergeSources<W>& sources) const {
    for (const std::unique_ptr<ExternalSort<W>>& sort : sorts_) sort->add_to(sources);
  }
  void clear() {
    for (const std::unique_ptr<ExternalSort<W>>& sort : sorts_) sort->clear();
  }

 private:
  std::vector<std::unique_ptr<ExternalSort<W>>> sorts_;
};

inline constexpr std::size_t kVisitedAtOnce = 1024;  // rows, at least

// What a thread takes to merge these.
template <std::size_t W>
std::uint64_t bytes_to_visit(const MergeSources<W>& sources, const BlockShape& shape,
                             const ChunkBuffers& buffers) {
  const std::size_t room = RowMerge<W>::room(sources, kVisitedAtOnce);
  std::uint64_t bytes = BlockUnpacker<W>::bytes(shape) + room * RowMerge<W>::row_bytes(shape.words);
  for (const SortedRun<W>* run : sources.runs)
    bytes += RunReader<W>::bytes(run->shape()) + (run->on_disk() ? 2 * buffers.bytes() : 0);
  return bytes;
}

// Calls visit(thread, part, rows, count) for all rows of the sources, without duplicates.  Part i
// has the rows from cuts[i - 1] on, below cuts[i]; its rows come in order, on one thread, and after
// the last ones visit() is called once more, with a count of 0.  `besides`: bytes of memory that
// visit() takes on each thread.  REQUIRES: runs of this shape, or smaller.
template <std::size_t W, class Visit>
void visit_parts(Crew& crew, ChunkStore& store, const MergeSources<W>& sources,
                 const BlockShape& shape, const std::vector<std::vector<Word>>& cuts,
                 std::uint64_t besides, Visit visit) {
  const std::uint64_t each = bytes_to_visit(sources, shape, store.buffers()) + besides;
  const std::uint64_t threads =
      std::clamp<std::uint64_t>(store.buffers().left() / 16 * 15 / each, 1, crew.size());
  share_out(crew, cuts.size() + 1, threads, [&](unsigned thread, std::size_t part) {
    RowSorter sorter(shape.words);
    const MergeRange range{part == 0 ? nullptr : cuts[part - 1].data(),
                           part == cuts.size() ? nullptr : cuts[part].data(), kVisitedAtOnce};
    merge_all(
        sources, shape, store.buffers(), sorter,
        [&](const Word* rows, std::size_t count) { visit(thread, part, rows, count); }, range);
    visit(thread, part, static_cast<const Word*>(nullptr), 0);
  });
}

}  // namespace spillway
