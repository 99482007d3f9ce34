#include "check/durable/level_batches.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "base/text/quantity.h"
#include "check/facts/expect_state.h"

namespace spillway {
namespace {

constexpr std::size_t kBlocks = 4;  // of the log, in a batch

struct Enough {};  // no more rows are wanted

template <std::size_t W>
class Batches {
 public:
  Batches(const LevelLog::Form& form, Budget& budget, Crew& crew, BatchSettings settings,
          const LevelTaker& taker, const FoundRows& found)
      : crew_(crew),
        words_(form.shape.words),
        settings_(settings),
        taker_(taker),
        found_(found),
        room_(Buffer::need(budget, kBlocks * form.block_bytes, "reading a log of levels")) {
    for (unsigned i = 0; i < crew.size(); ++i)
      hands_.push_back({BlockUnpacker<W>(form.shape), std::vector<Word>(form.shape.rows * words_)});
  }

  void add(std::uint64_t level, Bytes record) {
    if (level != level_ || record.size() > room_.size() - filled_) deal_out();
    if (level != level_) before_ = 0;
    level_ = level;
    std::byte* const place = room_.data() + filled_;
    std::memcpy(place, record.data(), record.size());
    records_.emplace_back(reinterpret_cast<const std::uint8_t*>(place), record.size());
    filled_ += record.size();
  }

  // All that was added.
  void deal_out() {
    if (records_.empty()) return;
    next_ = 0;
    const bool alone = filled_ < settings_.alone_bytes;
    const unsigned one = turn_++ % crew_.size();  // so that none gets all small levels
    do {
      if (!taker_.prepare(level_)) throw Enough{};
      paused_ = false;
      if (alone)
        work(one);
      else
        crew_.each([&](unsigned worker) { work(worker); });
    } while (paused_ && !has_strange_);
    if (has_strange_) refuse_first();
    Level all;
    for (Hand& hand : hands_) {
      all.states += hand.found.states;
      all.digest.add(hand.found.digest);
      hand.found = {};
    }
    found_(level_, all);
    before_ += all.states;
    records_.clear();
    filled_ = 0;
  }

 private:
  struct alignas(128) Hand {
    BlockUnpacker<W> unpacker;
    std::vector<Word> rows;
    std::size_t at = 0, count = 0;  // of the rows: taken, and all
    Level found{};
  };

  // Until there are no more records, or someone has to wait for prepare().
  void work(unsigned worker) {
    Hand& hand = hands_[worker];
    try {
      for (;;) {
        if (hand.at != hand.count) {
          hand.at += taker_.take(
              worker, {hand.rows.data() + hand.at * words_, hand.count - hand.at, words_});
          if (hand.at != hand.count) return paused_.store(true);
        }
        if (paused_.load(std::memory_order_relaxed)) return;
        const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
        if (i >= records_.size()) return;
        unpack(hand, records_[i]);
        if (has_strange(hand)) {
          hand.at = hand.count;  // nobody takes them
          has_strange_ = true;
          next_.store(records_.size());
          return;
        }
      }
    } catch (...) {
      next_.store(records_.size());  // the others need not go on
      throw;
    }
  }

  bool has_strange(const Hand& hand) const {
    if (settings_.steps == nullptr) return false;
    const States rows(hand.rows.data(), hand.count, words_);
    for (const State row : rows)
      if (!settings_.steps->why_not_a_state(row).empty()) return true;
    return false;
  }

  // The first of the batch, whoever has found one.
  void refuse_first() {
    Hand& hand = hands_[0];
    std::uint64_t number = 0;
    for (const Bytes record : records_) {
      unpack(hand, record);
      for (const State row : States(hand.rows.data(), hand.count, words_)) {
        ++number;
        expect_state(*settings_.steps, row, [&] {
          return fmt::format("state {} of level {}", with_commas(before_ + number),
                             with_commas(level_));
        });
      }
    }
  }

  void unpack(Hand& hand, Bytes record) {
    hand.unpacker.open(record);
    hand.unpacker.unpack(hand.rows.data());
    hand.at = 0;
    hand.count = hand.unpacker.rows();
    hand.found.states += hand.count;
    if (level_ >= settings_.undigested) return;
    for (const State row : States(hand.rows.data(), hand.count, words_)) hand.found.digest.add(row);
  }

  Crew& crew_;
  const std::size_t words_;
  const BatchSettings settings_;
  const LevelTaker& taker_;
  const FoundRows& found_;
  const Buffer room_;
  std::size_t filled_ = 0;
  std::uint64_t level_ = 0;
  std::vector<Bytes> records_;
  std::vector<Hand> hands_;
  unsigned turn_ = 0;
  std::atomic<std::size_t> next_{0};  // record that nobody has taken
  std::atomic<bool> paused_{false};
  std::uint64_t before_ = 0;  // rows of the level in earlier batches
  std::atomic<bool> has_strange_{false};
};

}  // namespace

bool take_levels(LevelLog& log, Budget& budget, Crew& crew, BatchSettings settings,
                 const LevelTaker& taker, const FoundRows& found) {
  try {
    with_width(log.form().shape.words, [&](auto width) {
      Batches<width()> batches(log.form(), budget, crew, settings, taker, found);
      log.read([&](std::uint64_t level, Bytes record) { batches.add(level, record); });
      batches.deal_out();
    });
    return true;
  } catch (const Enough&) {
    return false;
  }
}

}  // namespace spillway
