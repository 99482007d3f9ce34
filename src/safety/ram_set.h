// The visited set of the RAM search, in the two forms it has: rows in the table, or rows in the
// pool. Both store a state, remember its level, and give the levels back for traces.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "base/crew.h"
#include "base/error.h"
#include "model/model.h"
#include "safety/handover.h"
#include "safety/kept_levels.h"
#include "storage/table/level_tags.h"
#include "storage/table/long_row_table.h"
#include "storage/table/row_pool.h"
#include "storage/table/short_row_table.h"

namespace spillway {

using Visit = std::function<void(unsigned, State)>;
using Look = std::function<void()>;  // whether it is to stop: by an exception

// Rows of W words, W = 1 or 2.
template <std::size_t W>
class ShortSet {
 public:
  static constexpr std::size_t kWords = W;
  static constexpr bool kKeepsRows = false;  // the pool's chunks are free once a level is expanded

  ShortSet(Budget& budget, RowPool& /*pool*/, std::size_t /*words*/, std::size_t homes)
      : table_(budget, homes) {}

  std::uint64_t comfortable_rows() const { return table_.comfortable_rows(); }
  void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
  void prefetch_rows(std::uint64_t /*hash*/) const {}

  // The states inserted from now on are those of the next level.
  void open_level(Crew& crew) {
    const LevelTags::Opened opened = tags_.open_level();
    if (opened.renaming) table_.retag(crew, *opened.renaming);
    tag_ = opened.tag;
  }
  void close_level(const std::vector<RowPool::Segment>& /*segments*/, std::uint64_t states) {
    tags_.close_level(states);
  }

  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer) {
    const Insert done = table_.insert(row, hash, tag_);
    if (done == Insert::fresh) writer.append_short<W>(row);
    return done;
  }
  bool grow(Crew& crew, const std::vector<RowPool::Segment>& /*open_level*/) {
    return table_.grow(crew);
  }

  // See Handover::give_visited; `next`: the states of the next level.  Calls look() now and then.
  void give(Crew& crew, const std::vector<States>& next, const TakeRows& take,
            const ViewRows& /*view*/, const Look& look) {
    std::array<Tag, 256> all_alike;
    all_alike.fill(1);
    table_.retag(crew, all_alike);
    for (const States& states : next) {
      look();
      for (const State state : states) table_.set_tag(state.data(), place_hash(state.data(), W), 2);
    }
    const std::span<Word> rows = table_.strip(1);
    take(rows.data(), rows.size() / W);
    table_.free();
  }

  void each_at_depth(const Model& model, Crew& crew, std::size_t window_rows, std::uint64_t depth,
                     const Visit& visit) {
    if (!kept_) {
      kept_.emplace(model, tags_, crew, window_rows,
                    [this](Crew& c, const KeptLevels::Scan& scan) { table_.each(c, scan); });
    }
    kept_->each_at_depth(depth, visit);
  }
  // Of all levels.
  void each(Crew& crew, const Visit& visit) const {
    table_.each(crew, [&](unsigned worker, Tag, State state) { visit(worker, state); });
  }

 private:
  ShortRowTable<W> table_;
  LevelTags tags_;
  Tag tag_ = 0;
  std::optional<KeptLevels> kept_;
};

class LongSet {
 public:
  static constexpr std::size_t kWords = 0;  // only the program knows
  static constexpr bool kKeepsRows = true;

  LongSet(Budget& budget, RowPool& pool, std::size_t words, std::size_t homes)
      : pool_(pool), table_(budget, pool, words, homes) {}

  std::uint64_t comfortable_rows() const { return table_.comfortable_rows(); }
  void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
  void prefetch_rows(std::uint64_t hash) const { table_.prefetch_rows(hash); }
  void open_level(Crew& /*crew*/) {}
  void close_level(const std::vector<RowPool::Segment>& segments, std::uint64_t /*states*/) {
    segments_.insert(segments_.end(), segments.begin(), segments.end());
    level_ends_.push_back(segments_.size());
  }
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& writer) {
    return table_.insert(row, hash, writer);
  }
  bool grow(Crew& crew, const std::vector<RowPool::Segment>& open_level) {
    std::vector<RowPool::Segment> all = segments_;
    all.insert(all.end(), open_level.begin(), open_level.end());
    return table_.grow(crew, all);
  }

  void give(Crew& /*crew*/, const std::vector<States>& /*next*/, const TakeRows& /*take*/,
            const ViewRows& view, const Look& /*look*/) {
    table_.free();
    std::vector<States> all;
    for (const RowPool::Segment& segment : segments_) all.push_back(pool_.rows(segment));
    view(all);
  }

  void each_at_depth(const Model& /*model*/, Crew& crew, std::size_t /*window_rows*/,
                     std::uint64_t depth, const Visit& visit) {
    std::atomic<std::size_t> next{depth == 0 ? 0 : level_ends_[depth - 1]};
    crew.each([&](unsigned worker) {
      for (std::size_t i; (i = next.fetch_add(1)) < level_ends_[depth];)
        for (const State state : pool_.rows(segments_[i])) visit(worker, state);
    });
  }
  void each(Crew& /*crew*/, const Visit& visit) const {
    for (const RowPool::Segment& segment : segments_)
      for (const State state : pool_.rows(segment)) visit(0, state);
  }

 private:
  RowPool& pool_;
  LongRowTable table_;
  std::vector<RowPool::Segment> segments_;  // of all levels, level by level
  std::vector<std::size_t> level_ends_;
};

}  // namespace spillway
