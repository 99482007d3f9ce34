// Writes the rows that a RAM search leaves as sorted runs.
//
// The RAM search still has its memory meanwhile.  So little of the budget is left, and there is no
// Team yet.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory/pages.h"
#include "search/ram/handover.h"
#include "search/runs/stage_context.h"
#include "search/runs/stage_settings.h"
#include "storage/levels/level_packer.h"
#include "storage/runs/packing/row_squeeze.h"
#include "storage/runs/team.h"

namespace spillway {

template <std::size_t W>
class FirstRuns {
 public:
  // `subject`: whole rows.
  FirstRuns(const StageContext& context, const StageSubject& subject)
      : context_(context),
        words_(subject.words),
        settings_(stage_settings(context.wanted, subject, context.budget.limit())),
        shape_(block_shape(settings_, words_)),
        copied_rows_(hand_over_rows(subject)) {}

  // Adds runs of these rows to `to`, and the rows to `seen`, unless it is nullptr.  The rows are
  // sorted where they are.
  void write(Word* rows, std::size_t count, std::vector<SortedRun<W>>& to, RowSpread* seen) {
    context_.session.lookout.look_up();
    // signals are looked for between two pieces
    const std::size_t pieces =
        std::max<std::size_t>(context_.crew.size(), count / settings_.sort_rows + 1);
    write_pieces(rows, count, pieces, to, seen);
  }

  // The same for rows that must stay as they are.
  void write_copies(const EachRows& each, std::vector<SortedRun<W>>& to, RowSpread* seen) {
    const std::size_t pieces =
        std::clamp<std::size_t>(settings_.most_runs / 64, 1, context_.crew.size());
    in_portions(each, [&](Word* rows, std::size_t count) {
      write_pieces(rows, count, std::min(pieces, count), to, seen);
    });
  }

  // Passes these rows to the keeper of levels.
  void keep_copies(const EachRows& each) {
    in_portions(each, [&](Word* rows, std::size_t count) {
      const std::size_t pieces =
          std::clamp<std::size_t>(count / kWorthAPiece, 1, context_.crew.size());
      share_out(context_.crew, pieces, threads_for(count, pieces), [&](unsigned, std::size_t i) {
        const std::size_t first = count * i / pieces;
        keep_sorted(rows + first * words_, count * (i + 1) / pieces - first);
      });
    });
  }

 private:
  static constexpr std::size_t kWorthAPiece = 1 << 12;  // rows

  // Calls use(rows, count) for copies of these rows.
  template <class Use>
  void in_portions(const EachRows& each, const Use& use) {
    const Pages pages = Pages::need(context_.budget, copied_rows_ * words_ * sizeof(Word));
    Word* const rows = reinterpret_cast<Word*>(pages.data());
    std::size_t count = 0;
    each([&](States some) {
      for (const State state : some) {
        if (count == copied_rows_) use(rows, std::exchange(count, 0));
        copy_row(rows + count++ * words_, state.data(), Width<W>(words_));
      }
    });
    if (count != 0) use(rows, count);
  }

  void keep_sorted(Word* rows, std::size_t count) {
    const BlockShape& shape = context_.level_shape;
    const Claim claim(context_.budget, count * RowSorter::bytes_per_row(words_) +
                                           BlockPacker<W>::bytes(shape) +
                                           shape.rows * words_ * sizeof(Word));
    const std::size_t kept = RowSorter(words_).sort_unique(rows, count);
    const std::unique_ptr<LevelPacker> packer = LevelPacker::make(shape, context_.keeper);
    packer->add({rows, kept, words_});
    packer->finish();
  }

  // Each piece becomes a run.
  void write_pieces(Word* rows, std::size_t count, std::size_t pieces,
                    std::vector<SortedRun<W>>& to, RowSpread* seen) {
    std::vector<SortedRun<W>> runs;
    for (std::size_t i = 0; i < pieces; ++i) runs.emplace_back(context_.budget, shape_);
    std::vector<RowSpread> spreads(context_.crew.size(), RowSpread(words_));
    share_out(context_.crew, pieces, threads_for(count, pieces),
              [&](unsigned thread, std::size_t i) {
                if (thread == 0) context_.session.lookout.look_up();
                const std::size_t first = count * i / pieces;
                const States piece(rows + first * words_, count * (i + 1) / pieces - first, words_);
                if (seen != nullptr) spreads[thread].add(piece);
                runs[i] = sorted(rows + first * words_, piece.size());
              });
    if (seen != nullptr)
      for (const RowSpread& spread : spreads) seen->add(spread);
    for (SortedRun<W>& run : runs) to.push_back(std::move(run));
  }

  std::uint64_t threads_for(std::size_t count, std::size_t pieces) const {
    if (pieces == 1) return 1;
    const std::uint64_t of_thread = count / pieces * RowSorter::bytes_per_row(words_) +
                                    BlockPacker<W>::bytes(shape_) +
                                    RunWriter<W>::bytes(context_.store.chunk_bytes(), shape_) +
                                    2 * context_.store.buffers().bytes();
    return std::max<std::uint64_t>(1, context_.store.buffers().left() / of_thread);
  }

  SortedRun<W> sorted(Word* rows, std::size_t count) {
    const Claim claim(context_.budget,
                      count * RowSorter::bytes_per_row(words_) + BlockPacker<W>::bytes(shape_));
    const std::size_t kept = RowSorter(words_).sort_unique(rows, count);
    BlockPacker<W> packer(shape_);
    RunWriter<W> writer(context_.store, packer);
    writer.add(rows, kept);
    SortedRun<W> run = writer.finish();
    run.be_whole();
    return run;
  }

  const StageContext& context_;
  const std::size_t words_;
  const SortedRunsSettings settings_;
  const BlockShape shape_;
  const std::size_t copied_rows_;
};

}  // namespace spillway
