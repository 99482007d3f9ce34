// The visited set of the RAM search for rows of three words and more, and of searches that follow
// steps: it numbers its rows.
//
// Such rows have room for much that never happens.  So they are stored without the bits that were
// the same in all of them so far (storage/runs/packing/row_squeeze.h): of 21 words, four may be
// left.  A row that differs in other bits is odd.  It is stored whole, aside; since a row alone
// tells whether it is odd, it is looked for in one place only.  When there are many odd rows, all
// rows get a form which they fit, too.
//
// A row keeps its number, whatever its form: an odd one has a place among the others, which says
// where it is.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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
  using Segments = std::vector<RowPool::Segment>;

  PackedSet(Budget& budget, std::size_t words, const RamSettings& settings, unsigned threads);
  ~PackedSet();

  // It wants to grow if it has more.
  std::uint64_t comfortable_rows() const {
    if (!odd_) return std::min(main_.table.comfortable_rows(), squeeze_at_);
    return odd_is_crowded() ? 0 : main_.table.comfortable_rows() + odd_->table.comfortable_rows();
  }
  void prefetch(std::uint64_t hash) const { main_.table.prefetch(hash); }
  void prefetch_rows(std::uint64_t hash) const { main_.table.prefetch_rows(hash); }

  void open_level(Crew& /*crew*/) {}
  // The rows inserted since the last call, which are a level.
  Segments close_level();
  // Those inserted since.  REQUIRES: no concurrent calls.
  Segments open_rows();

  // Of closed levels, and of what open_rows() has returned ----------------------------------------
  static RowPool* recycled_to() { return nullptr; }  // rows stay where they are
  // Whole.  Valid until the next call for this thread.
  State row(std::uint64_t number, unsigned thread) {
    return form_.squeezed() ? widened(number, hands_[thread].whole) : main_.pool->row(number);
  }
  // The same, valid as long as the buffer is not used again.
  State row(std::uint64_t number, std::vector<Word>& buffer) const {
    return form_.squeezed() ? widened(number, buffer) : main_.pool->row(number);
  }
  // Passes whole rows to use(), some at a time.
  void each_row(RowPool::Segment segment, unsigned thread, const UseRows& use);
  std::uint64_t levels() const { return level_ends_.size(); }
  std::span<const RowPool::Segment> level(std::uint64_t depth) const;

  // Ensures room for one more row.  False if the budget refuses.
  [[nodiscard]] bool ready(unsigned thread) {
    Hand& hand = hands_[thread];
    return hand.main.ready() && (!hand.odd || (hand.odd->rows.ready() && hand.odd->places.ready()));
  }
  // `number`: of the row, fresh or known.  REQUIRES: ready(thread) was true, and
  // hash == hash(row, words).
  Insert insert(const Word* row, std::uint64_t hash, unsigned thread, std::uint64_t& number) {
    Hand& hand = hands_[thread];
    const RowSqueeze* const squeeze = form_.squeeze();
    if (squeeze != nullptr) {
      if (!squeeze->squeeze(row, hand.packed.data())) return insert_odd(row, hash, hand, number);
      row = hand.packed.data();
    }
    const Insert done = main_.table.insert(row, hash, hand.main, number);
    if (done == Insert::full) main_is_full_.store(true, std::memory_order_relaxed);
    return done;
  }
  // Of a row that is there.  Throws Error(memory) as ready() would refuse.
  std::uint64_t number_of(const Word* row, unsigned thread);
  // False if the budget refuses, with the set unchanged.  REQUIRES: no concurrent calls.
  [[nodiscard]] bool grow(Crew& crew);

  // See Handover::give_visited.
  void give(Crew& crew, const TakeRows& take, const ViewRows& view, const Look& look);
  void each_at_depth(const Model& model, Crew& crew, std::size_t window_rows, std::uint64_t depth,
                     const Visit& visit);
  // Of all levels.
  void each(Crew& crew, const Visit& visit) const;

 private:
  struct Rows {
    Rows(Budget& budget, std::size_t words, std::size_t chunk_rows, std::size_t table_words,
         std::size_t homes)
        : pool(std::make_unique<RowPool>(budget, words, chunk_rows)),
          table(budget, *pool, table_words, homes) {}
    std::unique_ptr<RowPool> pool;
    LongRowTable table;
  };
  // How a thread adds odd rows.
  struct OddHand {
    RowPool::Writer rows;    // whole, and the number of each
    RowPool::Writer places;  // in main_.pool, at these numbers: the number of a row in odd_->pool
    std::vector<Word> row;
  };
  // What a thread writes with, and room for rows in both forms.
  struct alignas(128) Hand {
    RowPool::Writer main;
    std::optional<OddHand> odd = {};
    std::vector<Word> packed, whole, some;
  };
  State widened(std::uint64_t number, std::vector<Word>& buffer) const;
  Insert insert_odd(const Word* row, std::uint64_t hash, Hand& hand, std::uint64_t& number);
  bool odd_is_crowded() const {
    return odd_ && odd_rows_.load(std::memory_order_relaxed) > odd_->table.comfortable_rows();
  }
  bool is_odd(std::uint64_t number) const {
    if (odd_chunks_.empty()) return false;
    const std::size_t chunk = number / main_.pool->chunk_rows();
    return chunk < odd_chunks_.size() && odd_chunks_[chunk];
  }
  void note_odd(const Segments& places);
  Segments main_rows() const;
  Segments odd_rows() const;  // of odd_->pool
  RowSpread spread_of_all() const;
  bool change_form(Crew& crew);
  bool has_room(const RowForm& form) const;
  Segments join_odd_places();
  void take_over(Crew& crew, const RowForm& form);
  void take_over(std::span<const RowPool::Segment> chunk, const RowForm& form, RowPool& to,
                 std::vector<Word>& buffer) const;
  bool grow_table(Crew& crew, bool odd);
  LongRowTable::HashOf hash_of_packed();
  void visit_level(std::size_t depth, Crew& crew, const Visit& visit) const;

  Budget& budget_;
  const std::size_t words_;
  const RamSettings& settings_;
  RowForm form_;              // of the rows in main_
  std::uint64_t squeeze_at_;  // rows, if they are whole
  RowSpread spread_;          // of them, if they are squeezed
  Rows main_;
  std::optional<Rows> odd_;              // if they are squeezed
  std::vector<bool> odd_chunks_;         // of main_.pool, with places of odd rows in closed levels
  Segments segments_;                    // of all closed levels, level by level
  std::vector<std::size_t> level_ends_;  // in them
  std::vector<Hand> hands_;
  std::atomic<std::uint64_t> odd_rows_{0};
  std::atomic<bool> main_is_full_{false};
  std::atomic<bool> odd_is_full_{false};
};

}  // namespace spillway
