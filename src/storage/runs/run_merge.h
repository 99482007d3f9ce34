// Merges sorted runs and arrays into sorted rows without duplicates.
//
// Pieces of all of them that fit into a processor's cache are brought together and sorted, which is
// faster than a merge row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/runs/packing/row_order.h"
#include "storage/runs/sorted_run.h"

namespace spillway {

// What is merged.  Views: the runs and arrays must outlive it.
template <std::size_t W>
struct MergeSources {
  std::vector<const SortedRun<W>*> runs;
  std::vector<States> arrays;  // sorted, without duplicates
  // The same runs again, if their places on disk are to be freed as soon as they were read;
  // otherwise none.  They can only be destroyed afterwards, even if the merge throws.
  std::vector<SortedRun<W>*> spent;

  std::size_t count() const { return runs.size() + arrays.size(); }
  std::uint64_t rows() const;

  // Rows that cut the sources into `parts` parts, or fewer if there are few rows.  Each part is
  // smaller than the one before, so that threads that take them in order end at about the same
  // time.
  std::vector<std::vector<Word>> cuts(std::size_t parts, std::size_t words) const;
};

// The same with runs that belong to it, and can be merged with each other where memory is short.
template <std::size_t W>
struct RowSources {
  std::vector<SortedRun<W>> runs;
  std::vector<States> arrays;  // views
};

template <std::size_t W>
class RowMerge {
 public:
  // How much of the read-ahead is for the sources.
  enum class Share {
    all,
    little,  // others who use it between calls of next() need far more
  };
  // Merges the rows from `from` on, below `to`; nullptr: from the first, to the last.  Both must
  // outlive it.
  RowMerge(const MergeSources<W>& sources, BlockUnpacker<W>& unpacker, ReadAhead& ahead,
           std::size_t words, const Word* from, const Word* to, Share share = Share::all);

  // The number of rows that next() needs room for, with these sources.
  static std::size_t room(const MergeSources<W>& sources, std::size_t at_least) {
    std::size_t block = 1;
    for (const SortedRun<W>* run : sources.runs) block = std::max(block, run->shape().rows);
    return std::max(at_least, 2 * block * sources.count());
  }

  // Bytes per row of that room, including sorting and a mark.
  static std::uint64_t row_bytes(std::size_t words) {
    return words * sizeof(Word) + RowSorter::bytes_per_row(words) + 1;
  }
  // What reading `runs` runs of this shape at once takes from the budget, with one chunk of each
  // open and one being read, and the room for their rows.
  static std::uint64_t bytes(std::size_t buffer_bytes, const BlockShape& shape, std::size_t runs) {
    return runs * (RunReader<W>::bytes(shape) + 2 * buffer_bytes +
                   2 * shape.rows * row_bytes(shape.words));
  }

  // Writes the next rows to `rows` and returns how many; 0 at the end.  REQUIRES: `room` is at
  // least room() of the sources.
  std::size_t next(RowSorter& sorter, Word* rows, std::size_t room);

  // The same, and for each row the mark of the run that it is from.
  struct Marking {
    std::span<const std::uint8_t> of_runs;
    unsigned bits = 1;              // of a mark
    std::uint8_t* marks = nullptr;  // room for as many as there is room for rows
  };
  // REQUIRES: there are no arrays, and no row is in two runs.
  std::size_t next(RowSorter& sorter, Word* rows, std::size_t room, const Marking& marking);

 private:
  struct Array {
    const Word* at;
    const Word* end;
  };
  const Word* limit(std::size_t room);
  Word lowest_top() const;
  const Word* nearer(const Word* stop, Word lowest, unsigned bits);
  void mark_rows(Word* row, const Word* end, Word lowest, const Marking& marking,
                 std::uint8_t mark);
  void take_marks(Word* rows, std::size_t count, Word lowest, const Marking& marking);

  const Width<W> width_;
  const Word* const to_;
  std::vector<RunReader<W>> runs_;
  std::vector<Array> arrays_;
  std::vector<Word> near_;   // scratch for nearer()
  std::vector<Word*> ends_;  // scratch: of the rows of each run
};

// Which rows are merged, and how many at a time.
struct MergeRange {
  const Word* from = nullptr;  // nullptr: from the first one
  const Word* to = nullptr;    // those below; nullptr: all
  std::size_t at_least = 1;    // rows that there is room for
};

// Calls visit(rows, count) for the rows of the sources, in order, without duplicates.  REQUIRES:
// runs of this shape, or smaller.
template <std::size_t W, class Visit>
void merge_all(const MergeSources<W>& sources, const BlockShape& shape, ChunkBuffers& buffers,
               RowSorter& sorter, Visit visit, const MergeRange& range = {}) {
  const std::size_t room = RowMerge<W>::room(sources, range.at_least);
  const Claim claim(buffers.budget(),
                    BlockUnpacker<W>::bytes(shape) + room * RowMerge<W>::row_bytes(shape.words));
  BlockUnpacker<W> unpacker(shape);
  std::vector<Word> rows(room * shape.words);
  ReadAhead ahead(buffers, sources.runs.size());
  RowMerge<W> merge(sources, unpacker, ahead, shape.words, range.from, range.to);
  while (const std::size_t count = merge.next(sorter, rows.data(), room)) visit(rows.data(), count);
}

}  // namespace spillway
