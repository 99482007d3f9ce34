// The visited set of the RAM search for rows of one or two words, which are in the table itself.
// It stores a state, remembers its level, and gives the levels back for traces, as PackedSet does
// for longer rows (packed_set.h).
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

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

// Rows of W words, W = 1 or 2.
template <std::size_t W>
class ShortSet {
 public:
  static constexpr std::size_t kWords = W;
  static std::uint64_t hash(const Word* row, std::size_t words) { return place_hash(row, words); }

  ShortSet(Budget& budget, std::size_t /*words*/, const RamSettings& settings, unsigned /*threads*/)
      : table_(budget, settings.first_homes) {}

  std::uint64_t comfortable_rows() const { return table_.comfortable_rows(); }
  void prefetch(std::uint64_t hash) const { table_.prefetch(hash); }
  void prefetch_rows(std::uint64_t /*hash*/) const {}

  // The states inserted from now on are those of the next level.
  void open_level(Crew& crew) {
    const LevelTags::Opened opened = tags_.open_level();
    if (opened.renaming) table_.retag(crew, *opened.renaming);
    tag_ = opened.tag;
  }
  void close_level(std::uint64_t states) { tags_.close_level(states); }

  bool ready(unsigned /*thread*/) const { return true; }
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& next, unsigned /*thread*/) {
    const Insert done = table_.insert(row, hash, tag_);
    if (done == Insert::fresh) next.append_short<W>(row);
    return done;
  }
  bool grow(Crew& crew) { return table_.grow(crew); }

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

}  // namespace spillway
