#include "safety/mail.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "base/claim.h"
#include "base/error.h"
#include "check/expect_state.h"
#include "net/message_buffers.h"
#include "safety/recent_rows.h"
#include "storage/runs/row_parcels.h"

namespace spillway {
namespace {

constexpr std::size_t kMostRows = 65536;
constexpr std::size_t kPackedRowBytes = 4;  // about
constexpr std::size_t kMostRecentBytes = 16 << 20;
// Of the budget, for rows that wait and for those that were sent recently.
constexpr std::size_t kShareForRows = 16;
constexpr std::size_t kShareForRecent = 32;
// While a batch is collected, others are on their way here and from here.
constexpr std::size_t kOnTheWay = 4;
// Rows that wait while their places among the recent ones are fetched from memory.
constexpr std::size_t kFetchedTogether = 16;
// Rows of other ranks between two looks at what has arrived.  Without them a rank would wait for
// the places of its batches until another one has filled its own.
constexpr std::size_t kMostBetweenTakes = 1024;

MailSettings chosen(MailSettings settings, std::uint64_t limit, std::size_t row, unsigned threads,
                    unsigned ranks) {
  if (settings.rows == 0)
    settings.rows = std::clamp<std::size_t>(
        limit / kShareForRows / (threads * ranks + 2 * kOnTheWay * ranks) / row, 1, kMostRows);
  if (settings.recent_rows == 0)
    settings.recent_rows =
        std::clamp<std::size_t>(limit / kShareForRecent / threads, 2 * row, kMostRecentBytes) / row;
  return settings;
}

template <std::size_t W>
class MailOf final : public Mail {
  // What one thread has.
  struct alignas(128) Desk {
    Desk(Budget& budget, const MailSettings& settings, std::size_t words, unsigned ranks)
        : recent(budget, words, settings.recent_rows),
          parcels(words),
          for_rank(ranks, std::vector<Word>(settings.rows * words)),
          waiting(ranks),
          fetched_rows(kFetchedTogether * words) {}

    RecentRows<W> recent;
    RowParcels<W> parcels;
    std::vector<std::vector<Word>> for_rank;
    std::vector<std::size_t> waiting;  // rows, for each rank
    std::vector<Word> own;
    // Rows of other ranks that have not been looked up among the recent ones yet.
    std::size_t fetched = 0;
    std::size_t since_take = 0;
    std::vector<Word> fetched_rows;
    std::array<std::uint64_t, kFetchedTogether> hashes{};
    std::array<unsigned, kFetchedTogether> owners{};
  };

  Cluster& cluster;
  Exchange& exchange = cluster.exchange();
  const unsigned self = cluster.rank();
  Lookout& lookout;
  const Model& model;
  const Width<W> width;
  const MailSettings settings;
  const std::size_t between_takes = std::min(settings.rows, kMostBetweenTakes);
  const Claim claim;
  std::vector<std::unique_ptr<Desk>> desks;
  unsigned threads = 0;
  std::atomic<unsigned> finished{0};
  std::atomic<bool> failed{false};

 public:
  MailOf(Cluster& of_check, Lookout& of_session, Budget& budget, const Model& of_states,
         unsigned most, const MailSettings& wanted)
      : cluster(of_check),
        lookout(of_session),
        model(of_states),
        width(of_states.words()),
        settings(chosen(wanted, budget.limit(), row_bytes(), most, of_check.ranks())),
        claim(budget, (most + 2 * kOnTheWay) * cluster.ranks() * settings.rows * row_bytes() +
                          most * RowParcels<W>::bytes(width.words())) {
    for (unsigned i = 0; i < most; ++i)
      desks.push_back(std::make_unique<Desk>(budget, settings, width.words(), cluster.ranks()));
  }

  void begin(unsigned threads_of_level) override {
    threads = threads_of_level;
    finished = 0;
    failed = false;
    exchange.begin();
  }

  States sort_out(unsigned thread, States successors, const Receive& receive) override {
    Desk& desk = *desks[thread];
    if (desk.own.size() < successors.size() * width.words())
      desk.own.resize(successors.size() * width.words());
    std::size_t own = 0;
    for (const State state : successors) {
      const std::uint64_t hash = place_hash(state.data(), width.words());
      const unsigned to = cluster.owner(hash);
      const bool is_own = to == self;
      // Both ways, and the next row takes the place again: a branch would be unpredictable.
      copy_row(desk.own.data() + own * width.words(), state.data(), width);
      copy_row(desk.fetched_rows.data() + desk.fetched * width.words(), state.data(), width);
      desk.hashes[desk.fetched] = hash;
      desk.owners[desk.fetched] = to;
      desk.recent.expect(is_own ? 0 : hash);
      own += is_own ? 1 : 0;
      desk.fetched += is_own ? 0 : 1;
      if (desk.fetched == kFetchedTogether) look(thread, receive);
    }
    return {desk.own.data(), own, width.words()};
  }

  void finish(unsigned thread, const Receive& receive) override {
    try {
      look(thread, receive);
      for (unsigned to = 0; to < cluster.ranks(); ++to) post(thread, to, receive);
      if (++finished == threads) exchange.end();
      Peers::Patience patience(cluster.peers());
      while (!failed && !exchange.is_over())
        if (take(thread, receive))
          patience.renew();
        else
          wait(thread, patience);
    } catch (...) {
      failed = true;  // the others must not wait for what this thread has not sent
      throw;
    }
  }

 private:
  std::size_t row_bytes() const { return width.words() * sizeof(Word); }

  // Those that were not sent recently will be.
  void look(unsigned thread, const Receive& receive) {
    Desk& desk = *desks[thread];
    for (std::size_t i = 0; i < desk.fetched; ++i) {
      const Word* const row = desk.fetched_rows.data() + i * width.words();
      if (!desk.recent.meet(row, desk.hashes[i])) put(thread, desk.owners[i], row, receive);
    }
    desk.since_take += std::exchange(desk.fetched, 0);
    if (desk.since_take < between_takes) return;
    desk.since_take = 0;
    while (take(thread, receive)) continue;
  }

  void put(unsigned thread, unsigned to, const Word* row, const Receive& receive) {
    Desk& desk = *desks[thread];
    copy_row(desk.for_rank[to].data() + desk.waiting[to]++ * width.words(), row, width);
    if (desk.waiting[to] == settings.rows) post(thread, to, receive);
  }

  void post(unsigned thread, unsigned to, const Receive& receive) {
    Desk& desk = *desks[thread];
    if (desk.waiting[to] == 0) return;
    std::vector<std::byte> message =
        desk.parcels.pack(desk.for_rank[to].data(), desk.waiting[to], Exchange::kRoomBefore,
                          message_buffers().take(kPackedRowBytes * desk.waiting[to]));
    desk.waiting[to] = 0;
    Peers::Patience patience(cluster.peers());
    while (!exchange.send(to, message))
      if (take(thread, receive))
        patience.renew();
      else
        wait(thread, patience);
  }

  void wait(unsigned thread, Peers::Patience& patience) {
    lookout.look_up(thread);
    patience.wait();
  }

  // False: nothing has arrived.
  bool take(unsigned thread, const Receive& receive) {
    std::optional<Exchange::Batch> batch = exchange.take();
    if (!batch) return false;
    desks[thread]->parcels.unpack(batch->bytes(), [&](States rows) {
      for (const State row : rows) expect_own(row, batch->from);
      receive(rows);
    });
    message_buffers().give(std::move(batch->message));
    return true;
  }

  void expect_own(State row, unsigned from) const {
    if (cluster.owner(place_hash(row.data(), width.words())) != self)
      throw Error(Fault::integrity,
                  fmt::format("rank {} has sent a state that does not belong here", from));
    expect_state(model, row, [&] { return fmt::format("a state that rank {} has sent", from); });
  }
};

}  // namespace

std::unique_ptr<Mail> make_mail(Cluster& cluster, Lookout& lookout, Budget& budget,
                                const Model& model, unsigned threads,
                                const MailSettings& settings) {
  return with_width(model.words(), [&](auto width) -> std::unique_ptr<Mail> {
    return std::make_unique<MailOf<width()>>(cluster, lookout, budget, model, threads, settings);
  });
}

}  // namespace spillway
