#include "search/runs/mail.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/memory/claim.h"
#include "check/facts/expect_state.h"
#include "check/ranks/broadcast.h"
#include "net/message_buffers.h"
#include "search/ram/recent_rows.h"
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
  struct alignas(128) ThreadMail {
    ThreadMail(Budget& budget, const MailSettings& settings, std::size_t words, unsigned ranks)
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
  const unsigned self = cluster.rank();
  const Model& model;
  Crew& crew;
  const Width<W> width;
  const MailSettings settings;
  const std::size_t between_takes = std::min(settings.rows, kMostBetweenTakes);
  const Claim claim;
  std::vector<std::unique_ptr<ThreadMail>> per_thread;
  unsigned threads = 0;
  Broadcast broadcast;

 public:
  MailOf(Cluster& of_check, Lookout& of_session, Budget& budget, const Model& of_states, Crew& all,
         const MailSettings& wanted)
      : cluster(of_check),
        model(of_states),
        crew(all),
        width(of_states.words()),
        settings(chosen(wanted, budget.limit(), row_bytes(), crew.size(), of_check.ranks())),
        claim(budget,
              (crew.size() + 2 * kOnTheWay) * cluster.ranks() * settings.rows * row_bytes() +
                  crew.size() * RowParcels<W>::bytes(width.words())),
        broadcast(cluster, [&of_session](unsigned thread) { of_session.look_up(thread); }) {
    for (unsigned i = 0; i < crew.size(); ++i)
      per_thread.push_back(
          std::make_unique<ThreadMail>(budget, settings, width.words(), cluster.ranks()));
  }

  void begin(unsigned threads_of_level) override {
    threads = threads_of_level;
    broadcast.begin(threads);
  }

  States sort_out(unsigned thread, States successors, const Receive& receive) override {
    ThreadMail& mine = *per_thread[thread];
    if (mine.own.size() < successors.size() * width.words())
      mine.own.resize(successors.size() * width.words());
    std::size_t own = 0;
    for (const State state : successors) {
      const std::uint64_t hash = place_hash(state.data(), width.words());
      const unsigned to = cluster.owner(hash);
      const bool is_own = to == self;
      // Both ways, and the next row takes the place again: a branch would be unpredictable.
      copy_row(mine.own.data() + own * width.words(), state.data(), width);
      copy_row(mine.fetched_rows.data() + mine.fetched * width.words(), state.data(), width);
      mine.hashes[mine.fetched] = hash;
      mine.owners[mine.fetched] = to;
      mine.recent.expect(is_own ? 0 : hash);
      own += is_own ? 1 : 0;
      mine.fetched += is_own ? 0 : 1;
      if (mine.fetched == kFetchedTogether) look(thread, receive);
    }
    return {mine.own.data(), own, width.words()};
  }

  void finish(const std::vector<Receive>& receivers) override {
    crew.each([&](unsigned thread) {
      if (thread < threads) finish(thread, receivers[thread]);
    });
  }

 private:
  void finish(unsigned thread, const Receive& receive) {
    look(thread, receive);
    for (unsigned to = 0; to < cluster.ranks(); ++to) post(thread, to, receive);
    broadcast.finish(thread, receiver(thread, receive));
  }

  std::size_t row_bytes() const { return width.words() * sizeof(Word); }

  // Those that were not sent recently will be.
  void look(unsigned thread, const Receive& receive) {
    ThreadMail& mine = *per_thread[thread];
    for (std::size_t i = 0; i < mine.fetched; ++i) {
      const Word* const row = mine.fetched_rows.data() + i * width.words();
      if (!mine.recent.meet(row, mine.hashes[i])) put(thread, mine.owners[i], row, receive);
    }
    mine.since_take += std::exchange(mine.fetched, 0);
    if (mine.since_take < between_takes) return;
    mine.since_take = 0;
    while (broadcast.take(receiver(thread, receive))) continue;
  }

  void put(unsigned thread, unsigned to, const Word* row, const Receive& receive) {
    ThreadMail& mine = *per_thread[thread];
    copy_row(mine.for_rank[to].data() + mine.waiting[to]++ * width.words(), row, width);
    if (mine.waiting[to] == settings.rows) post(thread, to, receive);
  }

  void post(unsigned thread, unsigned to, const Receive& receive) {
    ThreadMail& mine = *per_thread[thread];
    if (mine.waiting[to] == 0) return;
    std::vector<std::byte> message =
        mine.parcels.pack(mine.for_rank[to].data(), mine.waiting[to], Broadcast::kRoomBefore,
                          message_buffers().take(kPackedRowBytes * mine.waiting[to]));
    mine.waiting[to] = 0;
    broadcast.send_to(thread, to, std::move(message), receiver(thread, receive));
  }

  Broadcast::Receive receiver(unsigned thread, const Receive& receive) {
    return [this, thread, &receive](unsigned from, std::span<const std::byte> batch) {
      per_thread[thread]->parcels.unpack(batch, [&](States rows) {
        for (const State row : rows) expect_own(row, from);
        receive(rows);
      });
    };
  }

  void expect_own(State row, unsigned from) const {
    if (cluster.owner(place_hash(row.data(), width.words())) != self)
      throw Error(Fault::integrity,
                  fmt::format("rank {} has sent a state that does not belong here", from));
    expect_state(model, row, [&] { return fmt::format("a state that rank {} has sent", from); });
  }
};

class NoMail final : public Mail {
 public:
  void begin(unsigned /*threads*/) override {}
  States sort_out(unsigned /*thread*/, States successors, const Receive& /*receive*/) override {
    return successors;
  }
  void finish(const std::vector<Receive>& /*receivers*/) override {}
};

}  // namespace

std::unique_ptr<Mail> make_mail(Cluster& cluster, Lookout& lookout, Budget& budget,
                                const Model& model, Crew& crew, const MailSettings& settings) {
  if (cluster.ranks() == 1) return std::make_unique<NoMail>();
  return with_width(model.words(), [&](auto width) -> std::unique_ptr<Mail> {
    return std::make_unique<MailOf<width()>>(cluster, lookout, budget, model, crew, settings);
  });
}

}  // namespace spillway
