// The visited set of the RAM search for rows of three words and more.
//
// Such rows have room for much that never happens.  So they are stored without the bits that were
// the same in all of them so far (storage/runs/packing/row_squeeze.h): of 21 words, four may be
// left.  A row that differs in other bits is odd.  It is stored whole, aside; since a row alone
// tells whether it is odd, it is looked for in one place only.  When there are many odd rows, all
// rows get a form which they fit, too.
//
// The states of the current and of the next level are whole, in lists of the search.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/hash/long_hash.h"
#include "base/process/crew.h"
#include "search/ram/handover.h"
#include "search/ram/ram.h"
#include "storage/runs/packing/row_form.h"
#include "storage/table/long_row_table.h"
#include "storage/table/row_pool.h"

namespace spillway {

class PackedSet {
 public:
  static constexpr std::size_t kWords = 0;  // only the program knows
  static std::uint64_t hash(const Word* row, std::size_t words) { return long_hash(row, words); }
  using Visit = std::function<void(unsigned, State)>;
  using Look = std::function<void()>;

  PackedSet(Budget& budget, std::size_t words, const RamSettings& settings, unsigned threads);
  ~PackedSet();

  // It wants to grow if it has more.
  std::uint64_t comfortable_rows() const {
    if (!odd_) return std::min(main_->table.comfortable_rows(), squeeze_at_);
    return odd_is_crowded() ? 0 : main_->table.comfortable_rows() + odd_->table.comfortable_rows();
  }
  void prefetch(std::uint64_t hash) const { main_->table.prefetch(hash); }
  void prefetch_rows(std::uint64_t hash) const { main_->table.prefetch_rows(hash); }

  void open_level(Crew& /*crew*/) {}
  // The rows inserted since the last call are a level.
  void close_level(std::uint64_t states);

  // Ensures room for one more row.  False if the budget refuses.
  [[nodiscard]] bool ready(unsigned thread) {
    Hand& hand = hands_[thread];
    return hand.main.ready() && (!hand.odd || hand.odd->ready());
  }
  // A fresh row is appended to the writer as well.  REQUIRES: ready(thread) and next.ready() were
  // true, and hash == hash(row, words).
  Insert insert(const Word* row, std::uint64_t hash, RowPool::Writer& next, unsigned thread) {
    Hand& hand = hands_[thread];
    const RowSqueeze* const squeeze = form_.squeeze();
    Insert done;
    if (squeeze == nullptr)
      done = main_->table.insert(row, hash, hand.main);
    else if (squeeze->squeeze(row, hand.packed.data()))
      done = main_->table.insert(hand.packed.data(), hash, hand.main);
    else
      return insert_odd(row, hash, next, hand);
    if (done == Insert::fresh) next.append(row);
    if (done == Insert::full) main_is_full_.store(true, std::memory_order_relaxed);
    return done;
  }
  // False if the budget refuses, with the set unchanged.  REQUIRES: no concurrent calls.
  [[nodiscard]] bool grow(Crew& crew);

  // See Handover::give_visited.
  void give(Crew& crew, const std::vector<States>& next, const TakeRows& take, const ViewRows& view,
            const Look& look);
  void each_at_depth(const Model& model, Crew& crew, std::size_t window_rows, std::uint64_t depth,
                     const Visit& visit);
  // Of all levels.
  void each(Crew& crew, const Visit& visit) const;

 private:
  // Rows of one form.
  struct FormRows {
    FormRows(Budget& budget, std::size_t words, const RamSettings& settings, std::size_t homes);
    std::unique_ptr<RowPool> pool;
    LongRowTable table;
    std::vector<RowPool::Segment> segments;  // of all closed levels, level by level
    std::vector<std::size_t> level_ends;

    std::span<const RowPool::Segment> level(std::size_t depth) const;
  };
  // What a thread writes with, and room for a row in both forms.
  struct alignas(128) Hand {
    RowPool::Writer main;
    std::optional<RowPool::Writer> odd;
    std::vector<Word> packed, whole;
  };
  Insert insert_odd(const Word* row, std::uint64_t hash, RowPool::Writer& next, Hand& hand);
  bool odd_is_crowded() const {
    return odd_ && odd_rows_.load(std::memory_order_relaxed) > odd_->table.comfortable_rows();
  }
  std::vector<RowPool::Segment> all_segments(bool odd) const;
  std::uint64_t rows(bool odd) const;
  RowSpread spread_of_all();
  bool change_form(Crew& crew);
  bool has_room(const RowForm& form) const;
  void take_over(Crew& crew, const RowForm& form);
  void take_over(std::span<const RowPool::Segment> chunk, const RowForm& form, RowPool& to,
                 std::vector<Word>& buffer) const;
  void take_odd_rows(Crew& crew, const FormRows& odd, const std::vector<RowPool::Segment>& open);
  void append(States odd_rows, RowPool::Writer& writer);
  bool grow_table(Crew& crew, bool odd);
  LongRowTable::HashOf hash_of_packed();
  State whole(const FormRows& part, State row, std::vector<Word>& buffer) const;
  void visit_level(const FormRows& part, std::size_t depth, Crew& crew, const Visit& visit) const;

  Budget& budget_;
  const std::size_t words_;
  const RamSettings& settings_;
  RowForm form_;              // of the rows in main_
  std::uint64_t squeeze_at_;  // rows, if they are whole
  RowSpread spread_;          // of them, if they are squeezed
  std::unique_ptr<FormRows> main_;
  std::unique_ptr<FormRows> odd_;  // if they are squeezed
  std::vector<Hand> hands_;
  std::atomic<std::uint64_t> odd_rows_{0};
  std::atomic<bool> main_is_full_{false};
  std::atomic<bool> odd_is_full_{false};
};

}  // namespace spillway
