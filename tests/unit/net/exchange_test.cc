#include "net/exchange.h"

#include <gtest/gtest.h>

#include <cstring>
#include <latch>
#include <map>

#include "../../cases.h"
#include "ranks.h"

namespace spillway {
namespace {

constexpr PeersSettings kSettings{7, 60};

struct Case {
  unsigned ranks = 2;
  unsigned threads = 1;
  unsigned on_the_way = 4;
  std::uint64_t disorder = 0;
  int rounds = 3;
  std::uint64_t most = 40;  // batches of a thread
};

// Which numbers have gone from which rank to which: how often.
using Traffic = std::map<std::pair<std::pair<unsigned, unsigned>, std::uint64_t>, int>;

std::vector<std::byte> message_of(std::uint64_t number) {
  std::vector<std::byte> message(Exchange::kRoomBefore + sizeof number + number % 100);
  std::memcpy(message.data() + Exchange::kRoomBefore, &number, sizeof number);
  return message;
}

std::uint64_t number_in(const Exchange::Batch& batch) {
  std::uint64_t number = 0;
  std::memcpy(&number, batch.bytes().data(), sizeof number);
  EXPECT_EQ(batch.bytes().size(), sizeof number + number % 100);
  return number;
}

// One rank with its threads.
class Rank {
 public:
  Rank(Peers& peers, FirstError& first, const Case& of, std::mutex& mutex, Traffic& sent,
       Traffic& received)
      : peers_(peers),
        first_(first),
        case_(of),
        mutex_(mutex),
        sent_(sent),
        received_(received),
        exchange_(peers, {of.on_the_way}) {}

  void exchange(int round) {
    exchange_.begin();
    sending_ = case_.threads;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < case_.threads; ++i)
      threads.emplace_back([&, i] {
        try {
          work(round, i);
        } catch (const Error& error) {
          first_.note(peers_.rank(), error);
        }
      });
    for (std::thread& thread : threads) thread.join();
    first_.rethrow();
  }

 private:
  void work(int round, unsigned thread) {
    std::mt19937_64 random(case_.disorder * 1000 + static_cast<unsigned>(round) * 100 +
                           peers_.rank() * 10 + thread);
    const std::uint64_t count = peers_.ranks() == 1 ? 0 : random() % (case_.most + 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto to = static_cast<unsigned>((peers_.rank() + 1 + random() % (peers_.ranks() - 1)) %
                                            peers_.ranks());
      const std::uint64_t number = random() % 1000;
      {
        const std::lock_guard lock(mutex_);
        ++sent_[{{peers_.rank(), to}, number}];
      }
      std::vector<std::byte> message = message_of(number);
      while (!exchange_.send(to, message)) take();
    }
    if (--sending_ == 0) exchange_.end();
    peers_.pump_until([&] {
      take();
      return exchange_.is_over();
    });
  }

  void take() {
    const std::optional<Exchange::Batch> batch = exchange_.take();
    if (!batch) return;
    const std::lock_guard lock(mutex_);
    ++received_[{{batch->from, peers_.rank()}, number_in(*batch)}];
  }

  Peers& peers_;
  FirstError& first_;
  const Case& case_;
  std::mutex& mutex_;
  Traffic& sent_;
  Traffic& received_;
  Exchange exchange_;
  std::atomic<unsigned> sending_{0};
};

struct Outcome {
  std::optional<Error> error;
  bool is_equal = false;
  std::size_t numbers = 0;
};

Outcome run(const Case& of, const std::function<void(LocalNetwork&)>& disturb = nullptr) {
  LocalNetwork network(of.ranks, {of.disorder});
  std::mutex mutex;
  Traffic sent;
  Traffic received;
  Outcome outcome;
  outcome.error = on_ranks(network, of.ranks, kSettings, [&](Peers& peers, FirstError& first) {
    Rank rank(peers, first, of, mutex, sent, received);
    for (int round = 0; round < of.rounds; ++round) {
      rank.exchange(round);
      if (disturb && round == 0 && peers.rank() == 0) disturb(network);
    }
  });
  outcome.is_equal = sent == received;
  outcome.numbers = sent.size();
  return outcome;
}

TEST(Exchange, DeliversEachBatchOnce) {
  std::size_t numbers = 0;
  for (std::uint64_t disorder = 0; disorder < cases(6); ++disorder)
    for (const unsigned ranks : {1u, 2u, 3u, 8u}) {
      const Case of{ranks, 1 + static_cast<unsigned>(disorder % 2),
                    1 + static_cast<unsigned>(disorder % 4), disorder};
      const Outcome outcome = run(of);
      ASSERT_FALSE(outcome.error) << outcome.error->what() << " " << ranks << " " << disorder;
      ASSERT_TRUE(outcome.is_equal) << ranks << " " << disorder;
      numbers += outcome.numbers;
    }
  EXPECT_GT(numbers, 100);
}

TEST(Exchange, NoticesDamage) {
  const Outcome outcome = run({3, 2, 4, 1}, [](LocalNetwork& network) { network.damage_next(); });
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->fault(), Fault::integrity) << outcome.error->what();
}

// The middle of a long batch is under a hash that take() looks at.
TEST(Exchange, NoticesDamageInTheMiddleOfABatch) {
  LocalNetwork network(2);
  std::latch sent(1);  // what is sent next is damaged, whoever sends it
  const std::optional<Error> error =
      on_ranks(network, 2, kSettings, [&](Peers& peers, FirstError&) {
        Exchange exchange(peers);
        exchange.begin();
        std::vector<std::byte> message(Exchange::kRoomBefore + 1000);
        if (peers.rank() == 0) {
          network.damage_next();
          EXPECT_TRUE(exchange.send(1, message));
          sent.count_down();
        }
        sent.wait();
        exchange.end();
        peers.pump_until([&] {
          exchange.take();
          return exchange.is_over();
        });
      });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "what arrived from rank 0 is not what it has sent");
}

// Whatever it is that arrives twice.
TEST(Exchange, NoticesRepetition) {
  for (std::uint64_t disorder = 0; disorder < scaled(16); ++disorder) {
    const Outcome outcome =
        run({2, 1, 4, disorder}, [](LocalNetwork& network) { network.repeat_next(); });
    ASSERT_TRUE(outcome.error) << disorder;
    EXPECT_EQ(outcome.error->fault(), Fault::integrity) << outcome.error->what();
  }
}

TEST(Exchange, EndsWhenARankIsLost) {
  const Outcome outcome = run({3, 2, 1, 5, 50}, [](LocalNetwork& network) { network.lose(2); });
  ASSERT_TRUE(outcome.error);
  EXPECT_STREQ(outcome.error->what(), "rank 2 is lost");
}

// As many batches arrive as were sent, but not those.  The network repeats and loses what comes
// next, so nobody else may send anything then.
TEST(Exchange, NoticesABatchInThePlaceOfAnother) {
  LocalNetwork network(2);
  std::latch sent(1);
  const std::optional<Error> error =
      on_ranks(network, 2, kSettings, [&](Peers& peers, FirstError&) {
        Exchange exchange(peers);
        exchange.begin();
        if (peers.rank() == 0) {
          std::vector<std::byte> one = message_of(1);
          std::vector<std::byte> two = message_of(2);
          network.repeat_next();
          EXPECT_TRUE(exchange.send(1, one));
          network.drop_next();
          EXPECT_TRUE(exchange.send(1, two));
          exchange.end();
          sent.count_down();
        }
        sent.wait();
        std::uint64_t number = 1;
        peers.add_up({&number, 1});
        if (peers.rank() == 1) exchange.end();
        peers.pump_until([&] {
          exchange.take();
          return exchange.is_over();
        });
      });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "what arrived from rank 0 is not what it has sent");
}

// A rank that takes nothing is sent no more than a few batches.
TEST(Exchange, BoundsWhatIsOnItsWay) {
  LocalNetwork network(2);
  const std::optional<Error> error =
      on_ranks(network, 2, kSettings, [&](Peers& peers, FirstError&) {
        Exchange exchange(peers, {3});
        exchange.begin();
        if (peers.rank() == 0) {
          std::vector<std::byte> message = message_of(1);
          int sent = 0;
          for (int i = 0; i < 1000; ++i) {
            if (!exchange.send(1, message)) continue;
            ++sent;
            message = message_of(1);
          }
          EXPECT_EQ(sent, 3);
        }
        exchange.end();
        std::uint64_t number = 1;
        peers.add_up({&number, 1});
        peers.pump_until([&] {
          exchange.take();
          return exchange.is_over();
        });
      });
  EXPECT_FALSE(error) << error->what();
}

}  // namespace
}  // namespace spillway
