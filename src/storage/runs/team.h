// Threads that work on sorted runs together, each with memory of its own.
//
// A team knows rows, runs and the budget.  It knows nothing of searches.  While its threads work,
// it calls a function of its owner now and then, which may throw to end the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/memory/claim.h"
#include "base/process/crew.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/mark_store.h"
#include "storage/runs/packing/row_order.h"
#include "storage/runs/packing/run_block.h"
#include "storage/runs/sorted_run.h"

namespace spillway {

// Called now and then while something takes long, on the thread that began it.  Throws to end it.
using Poll = std::function<void()>;

// Calls task(thread, i) for every i < count, in increasing order on each of at most `threads`
// threads.  If a task throws, no further ones begin, and the exception is rethrown.
template <class Task>
void share_out(Crew& crew, std::size_t count, std::uint64_t threads, Task task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](unsigned thread) {
    if (thread != 0 && thread >= threads) return;
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
        task(thread, i);
    } catch (...) {
      next.store(count);
      throw;
    }
  };
  if (threads <= 1)
    work(0);  // wakes nobody
  else
    crew.each(work);
}

struct TeamSizes {
  std::size_t threads = 1;          // at most as many as the crew has
  std::size_t merge_rows = 4096;    // that a thread merges at a time
  std::size_t sort_rows = 4096;     // that the sorter of a thread has memory for
  std::size_t chunks_ahead = 2;     // that a thread reads ahead
  std::size_t parts = 4;            // that a task is cut into, for each thread
  std::size_t alone_rows = 4096;    // up to this number of rows, waking threads does not pay
  std::uint64_t reserve_bytes = 0;  // of the budget, that chunks in memory leave to the team
};

template <std::size_t W>
class Team {
 public:
  // What a thread works with.
  struct alignas(128) Member {
    unsigned number;
    Claim claim;  // for what follows
    BlockPacker<W> packer;
    BlockUnpacker<W> unpacker;
    RowSorter sorter;
    std::vector<Word> rows;           // room for merge_rows rows, and for a block
    std::vector<std::uint8_t> marks;  // for as many
  };

  // `shape`: of the runs that the team writes.  `poll` is called by member 0 only.  Throws
  // Error(memory) if the budget refuses.  REQUIRES: 1 <= sizes.threads <= crew.size().
  Team(Crew& crew, ChunkStore& store, const BlockShape& shape, const TeamSizes& sizes, Poll poll)
      : crew_(crew), store_(store), shape_(shape), sizes_(sizes), poll_(std::move(poll)) {
    const std::size_t room = std::max(sizes.merge_rows, shape.rows);
    const std::uint64_t bytes = BlockPacker<W>::bytes(shape) + BlockUnpacker<W>::bytes(shape) +
                                sizes.sort_rows * RowSorter::bytes_per_row(shape.words) +
                                room * (shape.words * sizeof(Word) + 1);
    for (unsigned i = 0; i < sizes.threads; ++i)
      members_.push_back(std::make_unique<Member>(
          Member{i, Claim(store.budget(), bytes), BlockPacker<W>(shape), BlockUnpacker<W>(shape),
                 RowSorter(shape.words), std::vector<Word>(room * shape.words),
                 std::vector<std::uint8_t>(room)}));
  }

  std::size_t size() const { return members_.size(); }
  Member& member(std::size_t i) { return *members_[i]; }
  ChunkStore& store() const { return store_; }
  const BlockShape& shape() const { return shape_; }
  const TeamSizes& sizes() const { return sizes_; }

  // Calls task(member, i) for every i < count, on at most `threads` threads, and on one if there
  // are only `rows` rows to work on.  If a task throws, no further ones begin.
  template <class Task>
  void share_out(std::size_t count, std::uint64_t rows, Task task,
                 std::uint64_t threads = UINT64_MAX) {
    const std::uint64_t most = rows <= sizes_.alone_rows ? 1 : size();
    spillway::share_out(crew_, count, std::min(threads, most),
                        [&](unsigned thread, std::size_t i) { task(*members_[thread], i); });
  }
  // The number of parts into which a task on `rows` rows should be cut.
  std::size_t parts(std::uint64_t rows) const {
    return rows <= sizes_.alone_rows ? 1 : sizes_.parts * size();
  }
  void poll(const Member& member) const {
    if (member.number == 0) poll_();
  }

  // Memory ----------------------------------------------------------------------------------------
  // The bytes that a task is sure to get.  Indexes of runs may grow meanwhile.
  std::uint64_t certain_bytes() const {
    return std::min<std::uint64_t>(store_.buffers().left(), sizes_.reserve_bytes) / 16 * 15;
  }
  // The number of threads that are sure to get `bytes` bytes each; at least one.
  std::uint64_t threads_with(std::uint64_t bytes) const {
    return std::max<std::uint64_t>(1, certain_bytes() / bytes);
  }
  // What a thread takes to write a run, and to read ahead.
  std::uint64_t writer_bytes() const {
    return RunWriter<W>::bytes(store_.chunk_bytes(), shape_) + 2 * store_.buffers().bytes() +
           MarkWriter::kMostBytes;
  }
  std::uint64_t ahead_bytes() const { return sizes_.chunks_ahead * store_.buffers().bytes(); }

 private:
  Crew& crew_;
  ChunkStore& store_;
  const BlockShape shape_;
  const TeamSizes sizes_;
  const Poll poll_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace spillway
