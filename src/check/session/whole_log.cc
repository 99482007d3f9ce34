#include "check/session/whole_log.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "storage/levels/level_packer.h"

namespace spillway {
namespace {

// Gives rows of a log to a search that has short ones.
class Loading {
 public:
  Loading(PartedRows& rows, const LevelTaker& taker, unsigned threads)
      : rows_(rows), taker_(taker) {
    for (unsigned i = 0; i < threads; ++i) threads_.push_back(std::make_unique<Thread>(rows));
    rows.forget_young();
  }

  // As those of LevelTaker.
  bool prepare(std::uint64_t level) {
    if (level != level_ && !finish()) return false;
    level_ = level;
    return wanted_ = taker_.prepare(level);
  }

  std::size_t take(unsigned thread, States states) {
    Thread& own = *threads_[thread];
    own.places.clear();
    own.rows.resize(states.size() * rows_.words());
    for (std::size_t i = 0; i < states.size(); ++i) {
      Word* const row = own.rows.data() + own.places.size() * rows_.words();
      if (!rows_.shorten(states[i], own.hand, row))
        continue;                                   // it waits, however often it is taken
      rows_.whole({row, rows_.words()}, own.hand);  // the next one differs little
      own.places.push_back(i);
    }
    const std::size_t taken =
        taker_.take(thread, {own.rows.data(), own.places.size(), rows_.words()});
    return taken == own.places.size() ? states.size() : own.places[taken];
  }

  // Rows that have waited for the end of their level.  False: no more are wanted.
  bool finish() {
    while (wanted_) {
      const States late = rows_.take_young(kTogether);
      if (late.empty()) return true;
      for (std::size_t taken = 0; taken < late.size();) {
        const States rest(late[taken].data(), late.size() - taken, rows_.words());
        const std::size_t now = taker_.take(0, rest);
        taken += now;
        if (now < rest.size() && !(wanted_ = taker_.prepare(level_))) break;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kTogether = 1 << 10;

  struct alignas(128) Thread {
    explicit Thread(PartedRows& of) : hand(of) {}
    PartedRows::Hand hand;
    std::vector<Word> rows;
    std::vector<std::size_t> places;  // of them among the states
  };

  PartedRows& rows_;
  const LevelTaker& taker_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::uint64_t level_ = 0;
  bool wanted_ = true;
};

void keep_whole(Checkpoints& checkpoints, const PartedRows& rows, States some) {
  constexpr std::size_t kTogether = 64;
  PartedRows::Hand hand(rows);
  std::vector<Word> states;
  std::size_t count = 0;
  const auto keep = [&] {
    checkpoints.keep_rows({states.data(), count, rows.whole_words()});
    states.clear();
    count = 0;
  };
  for (const State row : some) {
    const State state = rows.whole(row, hand);
    states.insert(states.end(), state.begin(), state.end());
    if (++count == kTogether) keep();
  }
  if (count != 0) keep();
}

}  // namespace

// What sorted runs keep of their levels: blocks of short rows.
class WholeLog::Keeper final : public LevelKeeper {
 public:
  Keeper(const WholeLog& log, LevelKeeper& levels) : log_(log), levels_(levels) {}

  void begin_level() override { levels_.begin_level(); }

  void keep(Bytes block) override {
    const BlockShape shape = *log_.blocks();
    with_width(shape.words, [&](auto width) {
      BlockUnpacker<width()> unpacker(shape);
      unpacker.open(block);
      std::vector<Word> rows(unpacker.rows() * shape.words);
      unpacker.unpack(rows.data());
      keep_sorted({rows.data(), unpacker.rows(), shape.words});
    });
  }

  // In plain blocks.
  void each(std::uint64_t level, const std::function<void(Bytes)>& visit) override {
    const BlockShape shape = *log_.blocks();
    PartedRows& short_rows = *log_.rows_;
    PartedRows::Hand hand(short_rows);
    std::vector<Word> rows;
    std::vector<std::uint8_t> block;
    const auto hand_over = [&] {
      if (rows.empty()) return;
      block.resize(kPlainHeadBytes + rows.size() * sizeof(Word));
      put_plain(block.data(), {rows.data(), rows.size() / shape.words, shape.words});
      visit(block);
      rows.clear();
    };
    levels_.each_batch(level, *log_.checkpoints_.blocks(), [&](States states) {
      for (const State state : states) {
        rows.resize(rows.size() + shape.words);
        Word* const row = rows.data() + rows.size() - shape.words;
        const bool is_known = short_rows.shorten(state, hand, row);
        SPILLWAY_CHECK(is_known);
        short_rows.whole({row, shape.words}, hand);
        if (rows.size() == shape.rows * shape.words) hand_over();
      }
    });
    hand_over();
  }

 private:
  // Sorted as states, they are packed a good deal better than rows in any order.
  void keep_sorted(States some) {
    const PartedRows& short_rows = *log_.rows_;
    const std::size_t words = short_rows.whole_words();
    PartedRows::Hand hand(short_rows);
    std::vector<Word> states;
    states.reserve(some.size() * words);
    for (const State row : some) {
      const State state = short_rows.whole(row, hand);
      states.insert(states.end(), state.begin(), state.end());
    }
    std::vector<State> order;
    for (std::size_t i = 0; i < some.size(); ++i) order.emplace_back(&states[i * words], words);
    std::ranges::sort(order, [](State a, State b) { return less(a, b); });
    const auto packer = LevelPacker::make(*log_.checkpoints_.blocks(), levels_);
    for (const State state : order) packer->add({state.data(), 1, words});
    packer->finish();
  }

  const WholeLog& log_;
  LevelKeeper& levels_;
};

WholeLog::WholeLog(Checkpoints& checkpoints, std::shared_ptr<PartedRows> rows)
    : checkpoints_(checkpoints), rows_(std::move(rows)) {}
WholeLog::~WholeLog() = default;

void WholeLog::load(Crew& crew, const Model* model, const LevelTaker& taker) {
  Loading loading(*rows_, taker, crew.size());
  checkpoints_.load(crew, model,
                    {[&](std::uint64_t level) { return loading.prepare(level); },
                     [&](unsigned thread, States states) { return loading.take(thread, states); }});
  loading.finish();
}

void WholeLog::keep_rows(States rows) { keep_whole(checkpoints_, *rows_, rows); }

LevelKeeper& WholeLog::keeper(LevelKeeper& own) {
  if (!checkpoints_.blocks()) return own;
  keeper_ = std::make_unique<Keeper>(*this, checkpoints_.keeper(own));
  return *keeper_;
}

std::optional<BlockShape> WholeLog::blocks() const {
  if (!checkpoints_.blocks()) return std::nullopt;
  return BlockShape::of(rows_->words());
}

}  // namespace spillway
