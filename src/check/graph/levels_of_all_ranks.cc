#include "check/graph/levels_of_all_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/memory/claim.h"
#include "check/facts/expect_state.h"
#include "check/ranks/broadcast.h"
#include "storage/runs/row_parcels.h"

namespace spillway {
namespace {

constexpr std::size_t kMostRowsSent = 65536;   // together
constexpr std::size_t kShareForRowsSent = 32;  // of the budget
constexpr std::size_t kBatchesOnTheWay = 4;    // to each rank

class LevelsAlone final : public LevelReader {
 public:
  explicit LevelsAlone(LevelReader& own) : own_(own) {}
  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    own_.each_at_depth(depth, visit);
  }

 private:
  LevelReader& own_;
};

template <std::size_t W>
class LevelsOfAllRanks final : public LevelReader {
  using Visit = std::function<void(unsigned, State)>;
  struct alignas(128) ThreadRows {
    ThreadRows(std::size_t words, std::size_t rows) : parcels(words), rows_to_send(rows * words) {}
    RowParcels<W> parcels;
    std::vector<Word> rows_to_send;
    std::size_t waiting = 0;  // rows
  };

 public:
  LevelsOfAllRanks(Session& session, LevelReader& own, Budget& budget, Crew& crew,
                   const LevelsOfAllRanksSettings& settings)
      : cluster_(session.cluster),
        model_(session.model),
        own_(own),
        crew_(crew),
        width_(session.model.words()),
        broadcast_(cluster_, [&session](unsigned thread) { session.lookout.look_up(thread); }),
        rows_(settings.rows != 0 ? settings.rows : rows_for(budget.limit())),
        claim_(budget, bytes_for(rows_)) {
    for (unsigned i = 0; i < crew.size(); ++i)
      threads_.push_back(std::make_unique<ThreadRows>(width_.words(), rows_));
  }

  void each_at_depth(std::uint64_t depth, const Visit& visit) override {
    for (const std::unique_ptr<ThreadRows>& mine : threads_) mine->waiting = 0;
    broadcast_.begin(crew_.size());
    own_.each_at_depth(depth, [&](unsigned thread, State state) {
      visit(thread, state);
      put(thread, state, visit);
    });
    crew_.each([&](unsigned thread) {
      post(thread, visit);
      broadcast_.finish(thread, receiver(thread, visit));
    });
  }

 private:
  // At the same time: those that threads collect, and those on their way from here and to here.
  std::size_t batches() const { return crew_.size() + 2 * kBatchesOnTheWay * cluster_.ranks(); }
  std::size_t row_bytes() const { return width_.words() * sizeof(Word); }
  std::size_t rows_for(std::uint64_t limit) const {
    return std::clamp<std::size_t>(limit / kShareForRowsSent / batches() / row_bytes(), 1,
                                   kMostRowsSent);
  }
  std::uint64_t bytes_for(std::size_t rows) const {
    return batches() * rows * row_bytes() + crew_.size() * RowParcels<W>::bytes(width_.words());
  }

  void put(unsigned thread, State state, const Visit& visit) {
    ThreadRows& mine = *threads_[thread];
    copy_row(mine.rows_to_send.data() + mine.waiting++ * width_.words(), state.data(), width_);
    if (mine.waiting == rows_) post(thread, visit);
  }

  void post(unsigned thread, const Visit& visit) {
    ThreadRows& mine = *threads_[thread];
    if (mine.waiting == 0) return;
    const std::vector<std::byte> parcel =
        mine.parcels.pack(mine.rows_to_send.data(), mine.waiting, Broadcast::kRoomBefore);
    mine.waiting = 0;
    broadcast_.send(thread, parcel, receiver(thread, visit));
  }

  Broadcast::Receive receiver(unsigned thread, const Visit& visit) {
    return [this, thread, &visit](unsigned from, std::span<const std::byte> batch) {
      threads_[thread]->parcels.unpack(batch, [&](States rows) {
        for (const State row : rows) {
          expect_of(from, row);
          expect_state(model_, row,
                       [&] { return fmt::format("a state that rank {} has sent", from); });
          visit(thread, row);
        }
      });
    };
  }

  void expect_of(unsigned rank, State row) const {
    if (cluster_.owner(place_hash(row.data(), width_.words())) != rank)
      throw Error(Fault::integrity,
                  fmt::format("rank {} has sent a state that does not belong to it", rank));
  }

  Cluster& cluster_;
  const Model& model_;
  LevelReader& own_;
  Crew& crew_;
  const Width<W> width_;
  Broadcast broadcast_;
  const std::size_t rows_;  // of a thread, sent together
  const Claim claim_;
  std::vector<std::unique_ptr<ThreadRows>> threads_;
};

}  // namespace

std::unique_ptr<LevelReader> levels_of_all_ranks(Session& session, Search& search, Budget& budget,
                                                 Crew& crew,
                                                 const LevelsOfAllRanksSettings& settings) {
  LevelReader& own = *search.level_reader();
  if (session.cluster.ranks() == 1) return std::make_unique<LevelsAlone>(own);
  return with_width(session.model.words(), [&](auto width) -> std::unique_ptr<LevelReader> {
    return std::make_unique<LevelsOfAllRanks<width()>>(session, own, budget, crew, settings);
  });
}

}  // namespace spillway
