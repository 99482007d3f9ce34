// The visited set of the RAM search for rows of one or two words, which are in the table itself.
// It stores a state, remembers its level, and gives the levels back for traces, as PackedSet does
// for longer rows (packed_set.h).
//
// A state is put on a list as well: that of the next level.  A list goes when it is done with.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash/hash.h"
#include "base/process/crew.h"
#include "model/model.h"
#include "search/ram/handover.h"
#include "search/ram/kept_levels.h"
#include "search/ram/ram.h"
#include "storage/table/level_tags.h"
#include "storage/table/row_pool.h"
#include "storage/table/short_row_table.h"

namespace spillway {

using Visit = std::function<void(unsigned, State)>;
using Look = std::function<void()>;  // whether it is to stop: by an exception
using Segments = std::vector<RowPool::Segment>;

// Rows of W words, W = 1 or 2.
template <std::size_t W>
class ShortSet {
 public:
  static constexpr std::size_t kWords = W;
  static std::uint64_t hash(const Word* row, std::size_t words) { return place_hash(row, words); }

  ShortSet(Budget& budget, std::size_t /*words*/, const RamSettings& settings, unsigned threads)
      : table_(budget, settings.first_homes),
        lists_(budget, W, std::max<std::size_t>(1, settings.chunk_bytes / (W * sizeof(Word)))),
        hands_(threads, Hand{RowPool::Writer(lists_)}) {}

  std::uint64_t comfortable_rows() const { return table_.comfortable_rows(); }
  void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
  void prefetch_rows(std::uint64_t /*hash*/) const {}

  // The states inserted from now on are those of the next level.
  void open_level(Crew& crew) {
    const LevelTags::Opened opened = tags_.open_level();
    if (opened.renaming) table_.retag(crew, *opened.renaming);
    tag_ = opened.tag;
  }
  // The states inserted since open_level(), on lists.
  Segments close_level() {
    Segments all;
    std::uint64_t states = 0;
    for (Hand& hand : hands_) {
      for (const RowPool::Segment& segment : hand.next.take(true)) {
        all.push_back(segment);
        states += segment.count;
      }
    }
    tags_.close_level(states);
    return all;
  }
  // The same, of the level that is open.
  Segments open_rows() const {
    Segments all;
    for (const Hand& hand : hands_) hand.next.peek(all);
    return all;
  }

  // Of the lists ----------------------------------------------------------------------------------
  RowPool* recycled_to() { return &lists_; }
  State row(std::uint64_t number, unsigned /*thread*/) const { return lists_.row(number); }
  void each_row(RowPool::Segment segment, unsigned /*thread*/, const UseRows& use) const {
    use(lists_.rows(segment));
  }

  // Ensures room for one more row on the thread's list.  False if the budget refuses.
  [[nodiscard]] bool ready(unsigned thread) { return hands_[thread].next.ready(); }
  // REQUIRES: ready(thread) was true, and hash == hash(row, W).  Rows have no numbers.
  Insert insert(const Word* row, std::uint64_t hash, unsigned thread, std::uint64_t& /*number*/) {
    const Insert done = table_.insert(row, hash, tag_);
    if (done == Insert::fresh) hands_[thread].next.template append_short<W>(row);
    return done;
  }
  bool grow(Crew& crew) { return table_.grow(crew); }

  // See Handover::give_visited.  Calls look() now and then.
  void give(Crew& crew, const TakeRows& take, const ViewRows& /*view*/, const Look& look) {
    std::array<Tag, 256> all_alike;
    all_alike.fill(1);
    table_.retag(crew, all_alike);
    for (const RowPool::Segment& segment : open_rows()) {
      look();
      for (const State state : lists_.rows(segment))
        table_.set_tag(state.data(), place_hash(state.data(), W), 2);
    }
    const std::span<Word> rows = table_.strip(1);
    take(rows.data(), rows.size() / W);
    table_.free();
  }

  void each_at_depth(const Model& model, Crew& crew, std::size_t window_rows, std::uint64_t depth,
                     const Visit& visit) {
    if (!kept_) {
      kept_.emplace(model.steps(), tags_, crew, window_rows,
                    [this](Crew& c, const KeptLevels::Scan& scan) { table_.each(c, scan); });
    }
    kept_->each_at_depth(depth, visit);
  }
  // Of all levels.
  void each(Crew& crew, const Visit& visit) const {
    table_.each(crew, [&](unsigned worker, Tag, State state) { visit(worker, state); });
  }

 private:
  struct alignas(128) Hand {
    RowPool::Writer next;  // of the next level
  };

  ShortRowTable<W> table_;
  RowPool lists_;
  std::vector<Hand> hands_;  // of each thread
  LevelTags tags_;
  Tag tag_ = 0;
  std::optional<KeptLevels> kept_;
};

}  // namespace spillway
