#include "search/runs/mail.h"

#include <algorithm>
#include <array>
#include <vector>

#include "check/ranks/row_post.h"
#include "search/ram/recent_rows.h"

namespace spillway {
namespace {

constexpr std::size_t kMostRecentBytes = 16 << 20;
// Of the budget, for rows that wait and for those that were sent recently.
constexpr std::size_t kShareForRows = 16;
constexpr std::size_t kShareForRecent = 32;
// Rows that wait while their places among the recent ones are fetched from memory.
constexpr std::size_t kFetchedTogether = 16;
// Rows of other ranks between two looks at what has arrived.  Without them a rank would wait for
// the places of its batches until another one has filled its own.
constexpr std::size_t kMostBetweenTakes = 1024;

std::size_t recent_rows(const MailSettings& settings, std::uint64_t limit, std::size_t row_bytes,
                        unsigned threads) {
  if (settings.recent_rows != 0) return settings.recent_rows;
  return std::clamp<std::size_t>(limit / kShareForRecent / threads, 2 * row_bytes,
                                 kMostRecentBytes) /
         row_bytes;
}

template <std::size_t W>
class MailOf final : public Mail {
  // What one thread has.
  struct alignas(128) ThreadMail {
    ThreadMail(Budget& budget, std::size_t words, std::size_t recent_rows)
        : recent(budget, words, recent_rows), fetched_rows(kFetchedTogether * words) {}

    RecentRows<W> recent;
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
  Crew& crew;
  const Width<W> width;
  RowPost<W> post;
  const std::size_t between_takes = std::min(post.rows(), kMostBetweenTakes);
  std::vector<std::unique_ptr<ThreadMail>> per_thread;
  unsigned threads = 0;

 public:
  MailOf(Cluster& of_check, Lookout& of_session, Budget& budget, const Model& of_states, Crew& all,
         const MailSettings& wanted)
      : cluster(of_check),
        crew(all),
        width(of_states.words()),
        post(of_check, [&of_session](unsigned thread) { of_session.look_up(thread); }, budget,
             of_states, all, {false, wanted.rows, kShareForRows}) {
    const std::size_t recent =
        recent_rows(wanted, budget.limit(), width.words() * sizeof(Word), crew.size());
    for (unsigned i = 0; i < crew.size(); ++i)
      per_thread.push_back(std::make_unique<ThreadMail>(budget, width.words(), recent));
  }

  void begin(unsigned threads_of_level) override {
    threads = threads_of_level;
    post.begin(threads);
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
      if (thread >= threads) return;
      look(thread, receivers[thread]);
      post.finish(thread, receivers[thread]);
    });
  }

 private:
  // Those that were not sent recently will be.
  void look(unsigned thread, const Receive& receive) {
    ThreadMail& mine = *per_thread[thread];
    for (std::size_t i = 0; i < mine.fetched; ++i) {
      const Word* const row = mine.fetched_rows.data() + i * width.words();
      if (!mine.recent.meet(row, mine.hashes[i])) post.put(thread, mine.owners[i], row, receive);
    }
    mine.since_take += std::exchange(mine.fetched, 0);
    if (mine.since_take < between_takes) return;
    mine.since_take = 0;
    post.take(thread, receive);
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
