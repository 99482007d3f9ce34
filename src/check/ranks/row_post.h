// Rows on their way to other ranks.  A thread collects some, sorts and packs them, and sends them
// off; what arrives is unpacked and handed to the thread that takes it.
//
// Rows are sent whole, because ranks may have squeezed theirs differently.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/memory/claim.h"
#include "base/process/crew.h"
#include "check/facts/expect_state.h"
#include "check/ranks/broadcast.h"
#include "net/message_buffers.h"
#include "storage/runs/row_parcels.h"

namespace spillway {

struct RowPostSettings {
  bool to_all = false;           // own rows go to all other ranks; false: rows go to their owners
  std::size_t rows = 0;          // of a thread, sent together; 0: as the budget allows
  std::size_t budget_share = 1;  // of which so much is for rows that wait: one part of so many
};

template <std::size_t W>
class RowPost {
 public:
  using Receive = std::function<void(States)>;

  // For states of the model; others are refused when they arrive.  Throws Error(memory) if the
  // budget has no room for it.  REQUIRES: all outlive it.
  RowPost(Cluster& cluster, Broadcast::Poll poll, Budget& budget, const Model& model,
          const Crew& crew, const RowPostSettings& settings)
      : cluster_(cluster),
        steps_(model.steps()),
        width_(model.words()),
        to_all_(settings.to_all),
        broadcast_(cluster, std::move(poll)),
        collected_by_thread_(to_all_ ? 1 : cluster.ranks()),
        rows_(settings.rows != 0 ? settings.rows
                                 : rows_in(budget.limit() / settings.budget_share, crew.size())),
        claim_(budget, batches(crew.size()) * rows_ * row_bytes() +
                           crew.size() * RowParcels<W>::bytes(width_.words())) {
    for (unsigned i = 0; i < crew.size(); ++i)
      threads_.push_back(std::make_unique<Thread>(width_.words(), collected_by_thread_, rows_));
  }

  std::size_t rows() const { return rows_; }  // sent together

  // All of these throw what the poll and Cluster throw, and Error(integrity) if a row arrives that
  // is no state or does not belong there.

  // By one thread, on all ranks.  So many threads will send.
  void begin(unsigned threads) {
    for (const std::unique_ptr<Thread>& thread : threads_)
      for (Collected& some : thread->collected) some.waiting = 0;
    broadcast_.begin(threads);
  }
  // `to`: a rank; 0 if rows go to all.
  void put(unsigned thread, unsigned to, const Word* row, const Receive& receive) {
    Collected& some = threads_[thread]->collected[to];
    copy_row(some.rows.data() + some.waiting++ * width_.words(), row, width_);
    if (some.waiting == rows_) send(thread, to, receive);
  }
  // Receives what has arrived.
  void take(unsigned thread, const Receive& receive) {
    while (broadcast_.take(receiver(thread, receive))) continue;
  }
  // By each of the threads.  Returns when all ranks have sent what they had, and this one has
  // received it.
  void finish(unsigned thread, const Receive& receive) {
    for (unsigned to = 0; to < collected_by_thread_; ++to) send(thread, to, receive);
    broadcast_.finish(thread, receiver(thread, receive));
  }

 private:
  static constexpr std::size_t kMostRows = 65536;
  static constexpr std::size_t kPackedRowBytes = 4;  // about
  // While a batch is collected, others are on their way from here and to here.
  static constexpr std::size_t kOnTheWay = 4;

  struct Collected {
    std::vector<Word> rows;
    std::size_t waiting = 0;
  };
  struct alignas(128) Thread {
    Thread(std::size_t words, unsigned count, std::size_t rows)
        : parcels(words), collected(count, {std::vector<Word>(rows * words)}) {}
    RowParcels<W> parcels;
    std::vector<Collected> collected;
  };

  std::size_t row_bytes() const { return width_.words() * sizeof(Word); }
  // At the same time.
  std::size_t batches(unsigned threads) const {
    return threads * collected_by_thread_ + 2 * kOnTheWay * cluster_.ranks();
  }
  std::size_t rows_in(std::uint64_t bytes, unsigned threads) const {
    return std::clamp<std::size_t>(bytes / batches(threads) / row_bytes(), 1, kMostRows);
  }

  void send(unsigned thread, unsigned to, const Receive& receive) {
    Thread& mine = *threads_[thread];
    const std::size_t count = std::exchange(mine.collected[to].waiting, 0);
    if (count == 0) return;
    std::vector<std::byte> parcel =
        mine.parcels.pack(mine.collected[to].rows.data(), count, Broadcast::kRoomBefore,
                          message_buffers().take(kPackedRowBytes * count));
    if (to_all_)
      broadcast_.send(thread, parcel, receiver(thread, receive));
    else
      broadcast_.send_to(thread, to, std::move(parcel), receiver(thread, receive));
  }

  Broadcast::Receive receiver(unsigned thread, const Receive& receive) {
    return [this, thread, &receive](unsigned from, std::span<const std::byte> batch) {
      threads_[thread]->parcels.unpack(batch, [&](States rows) {
        for (const State row : rows) expect_sent(row, from);
        receive(rows);
      });
    };
  }

  void expect_sent(State row, unsigned from) const {
    const unsigned owner = cluster_.owner(place_hash(row.data(), width_.words()));
    if (owner != (to_all_ ? from : cluster_.rank()))
      throw Error(Fault::integrity, fmt::format("rank {} has sent a state that does not belong {}",
                                                from, to_all_ ? "to it" : "here"));
    expect_state(steps_, row, [&] { return fmt::format("a state that rank {} has sent", from); });
  }

  Cluster& cluster_;
  const Transitions& steps_;
  const Width<W> width_;
  const bool to_all_;
  Broadcast broadcast_;
  const unsigned collected_by_thread_;
  const std::size_t rows_;
  const Claim claim_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace spillway
