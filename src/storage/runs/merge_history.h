// Remembers where the rows of merged runs came from, so that rows can still be told apart by level.
//
// Idea.  A run has a label: the level that its rows are, or the merge that made it.  A merge notes
// for each row which of its sources it came from, in the order of rows.  The marks of one merge are
// written once and never again.  To find the level of a row, follow its marks: the n-th row that a
// merge took from a source is the n-th row of that source.
//
// Cost.  Marks are coded by the sizes of the sources.  All marks of a row together take about as
// many bits as its level has information: 2 to 5, where a copy of the row takes 20 and more.
//
// Source.  Our own; the tree of marks is that of Grossi, Gupta and Vitter 2003 (wavelet trees),
// with the shape that merging gives it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "storage/runs/mark_store.h"
#include "storage/runs/run_label.h"

namespace spillway {

// A merge whose sources are to be remembered.
class MarkedMerge {
 public:
  // The most runs that can be merged at once.
  static constexpr std::size_t kMostSources = MarkCode::kMostMarks;
  struct Source {
    RunLabel label;
    std::uint64_t rows;
  };

  // REQUIRES: at least two labels differ; at most kMostSources.
  MarkedMerge(MarkStore& store, std::span<const Source> sources);

  // The mark of each source.  Sources of the same label have the same one.
  const std::vector<std::uint8_t>& marks() const { return marks_; }
  unsigned bits() const { return bits_; }  // of a mark, not coded

  // Each part is written by one thread.
  void begin(std::size_t parts);
  std::unique_ptr<MarkWriter> writer() { return std::make_unique<MarkWriter>(store_, code_); }
  void set(std::size_t part, MarkedPart marks) { parts_[part] = std::move(marks); }

  RunLabel label(std::uint8_t mark) const { return labels_[mark]; }
  const std::vector<RunLabel>& labels() const { return labels_; }
  std::unique_ptr<MarkReader> reader() const {
    return std::make_unique<MarkReader>(store_, parts_, code_);
  }

 private:
  static MarkCode code_of(std::span<const Source> sources, std::span<const std::uint8_t> marks,
                          std::size_t labels);

  MarkStore& store_;
  std::vector<RunLabel> labels_;     // of each mark
  std::vector<std::uint8_t> marks_;  // of each source
  const unsigned bits_;
  const MarkCode code_;
  std::vector<MarkedPart> parts_;
};

class MergeHistory {
 public:
  // REQUIRES: the store outlives it.
  explicit MergeHistory(ChunkStore& store) : store_(store) {}

  // The label for the run of the next level, beginning with level 0.  `marked`: its rows are to be
  // found again.
  RunLabel begin_level(bool marked);
  bool has(std::uint64_t level) const;  // it is marked
  bool has_any() const { return !marked_levels_.empty(); }

  // What to do to merge such runs: nullptr if all have the same label, which is that of the result.
  std::unique_ptr<MarkedMerge> begin(std::span<const MarkedMerge::Source> sources);
  // The merge is complete.
  RunLabel add(std::unique_ptr<MarkedMerge> merge);

 private:
  friend class LevelFinder;

  MarkStore store_;
  std::uint64_t levels_ = 0;
  std::vector<std::uint64_t> marked_levels_;          // in order
  std::vector<std::unique_ptr<MarkedMerge>> merges_;  // sources come before what is made of them
};

// Tells which rows of a run are of one level.  One thread.
class LevelFinder {
 public:
  // REQUIRES: the history outlives it, and nothing is merged meanwhile.
  LevelFinder(const MergeHistory& history, RunLabel run, std::uint64_t level);

  // Whether the run has rows of the level.
  bool any() const { return found_; }
  // For each row of the run, in order: whether it is of the level.  REQUIRES: any().
  bool next() {
    for (WayStep& step : way_)
      if (step.reader->next() != step.mark) return false;
    return true;
  }

 private:
  struct WayStep {
    std::unique_ptr<MarkReader> reader;
    std::uint8_t mark;  // of rows that are on the way to the level
  };
  bool found_ = false;
  std::vector<WayStep> way_;
};

}  // namespace spillway
