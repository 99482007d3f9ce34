#include "net/peers.h"

#include <gtest/gtest.h>

#include <atomic>

#include "../../cases.h"
#include "ranks.h"

namespace spillway {
namespace {

constexpr PeersSettings kSettings{7, 60};

TEST(Peers, AddUpTheSameForAll) {
  for (const unsigned ranks : {1u, 2u, 3u, 8u})
    for (std::uint64_t disorder = 0; disorder < scaled(8); ++disorder) {
      LocalNetwork network(ranks, {disorder});
      const std::optional<Error> error =
          on_ranks(network, ranks, kSettings, [&](Peers& peers, FirstError&) {
            for (std::uint64_t round = 0; round < 30; ++round) {
              std::vector<std::uint64_t> numbers{1, peers.rank(), round << 60};
              peers.add_up(numbers);
              EXPECT_EQ(numbers, (std::vector<std::uint64_t>{ranks, ranks * (ranks - 1) / 2,
                                                             (round << 60) * ranks}));
            }
          });
      EXPECT_FALSE(error) << error->what();
    }
}

TEST(Peers, GatherWhatEachHasGivenInTheirOrder) {
  LocalNetwork network(4, {3});
  const std::optional<Error> error =
      on_ranks(network, 4, kSettings, [&](Peers& peers, FirstError&) {
        const std::vector<std::byte> own(peers.rank() * 1000, std::byte(peers.rank()));
        const std::vector<std::vector<std::byte>> all = peers.gather(own);
        ASSERT_EQ(all.size(), 4);
        for (unsigned rank = 0; rank < 4; ++rank)
          EXPECT_EQ(all[rank], std::vector<std::byte>(rank * 1000, std::byte(rank)));
      });
  EXPECT_FALSE(error);
}

TEST(Peers, NoticeDamageAndRepetition) {
  for (const bool repeats : {false, true}) {
    LocalNetwork network(3);
    repeats ? network.repeat_next() : network.damage_next();
    const std::optional<Error> error =
        on_ranks(network, 3, kSettings, [&](Peers& peers, FirstError&) {
          for (int round = 0; round < 3; ++round) {
            std::uint64_t number = 1;
            peers.add_up({&number, 1});
          }
        });
    ASSERT_TRUE(error) << repeats;
    EXPECT_EQ(error->fault(), Fault::integrity) << error->what();
  }
}

TEST(Peers, EndWhenARankIsLost) {
  LocalNetwork network(3);
  const std::optional<Error> error =
      on_ranks(network, 3, kSettings, [&](Peers& peers, FirstError&) {
        for (std::uint64_t round = 0;; ++round) {
          if (peers.rank() == 2 && round == 5) throw Error(Fault::disk, "full");
          std::uint64_t number = 1;
          peers.add_up({&number, 1});
        }
      });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "full");
}

TEST(Peers, NoticeARankThatIsSilent) {
  LocalNetwork network(3);
  const std::optional<Error> error = on_ranks(network, 3, {7, 2}, [&](Peers& peers, FirstError&) {
    for (std::uint64_t round = 0;; ++round) {
      if (peers.rank() == 1 && round == 5) {
        network.silence(1);
        return;
      }
      std::uint64_t number = 1;
      peers.add_up({&number, 1});
    }
  });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "rank 1 has been silent for 2 seconds");
}

// All ranks of a machine may be stopped for longer than that, and then go on.
TEST(Peers, DoNotBlameOthersAfterTheyWereStopped) {
  LocalNetwork network(2);
  std::atomic<bool> has_waited{false};
  const std::optional<Error> error = on_ranks(network, 2, {7, 2}, [&](Peers& peers, FirstError&) {
    if (peers.rank() == 0) {
      Peers::Patience patience(peers);
      patience.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(2100));
      EXPECT_NO_THROW(patience.wait());
      has_waited = true;
      has_waited.notify_one();
    } else {
      has_waited.wait(false);
    }
    std::uint64_t number = 1;
    peers.add_up({&number, 1});
    EXPECT_EQ(number, 2);
  });
  EXPECT_FALSE(error) << error->what();
}

// Counts the calls of end(), and has no rank wait for another in it.
class CountedEnds final : public Transport {
 public:
  explicit CountedEnds(Transport& inner) : inner_(inner) {}
  unsigned rank() const override { return inner_.rank(); }
  unsigned ranks() const override { return inner_.ranks(); }
  void send(unsigned to, std::vector<std::byte> bytes) override {
    inner_.send(to, std::move(bytes));
  }
  std::optional<Message> receive() override { return inner_.receive(); }
  void end() override { ++ends; }
  int ends = 0;

 private:
  Transport& inner_;
};

struct LostEnd {
  std::string sentence;
  double seconds = 0;  // from then on until the end
  int ends = 0;
};

// Adds up until a rank is lost.  It has `busy_seconds` to do before the end.
LostEnd end_of(Transport& inner, double silent_seconds, double busy_seconds = 0,
               std::atomic<bool>* is_busy = nullptr) {
  LostEnd end;
  CountedEnds transport(inner);
  Peers peers(transport, {7, silent_seconds});
  std::uint64_t number = 1;
  try {
    peers.add_up({&number, 1});
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::lost);
    end.sentence = error.what();
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(busy_seconds));
  if (is_busy != nullptr) *is_busy = false;
  const auto begun = std::chrono::steady_clock::now();
  peers.end();
  end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  end.ends = transport.ends;
  return end;
}

constexpr const char* kSilent = "rank 1 has been silent for 0.3 seconds";

// A rank that would have noticed after a minute hears of it from one that has.
TEST(Peers, TellEachOtherThatARankIsSilent) {
  LocalNetwork network(3);
  network.silence(1);
  LostEnd other;
  std::thread thread([&] { other = end_of(network.of(2), 60); });
  const LostEnd first = end_of(network.of(0), 0.3);
  thread.join();
  EXPECT_EQ(first.sentence, kSilent);
  EXPECT_EQ(other.sentence, kSilent);
  EXPECT_EQ(first.ends + other.ends, 0) << "they would wait for the one that is lost";
  EXPECT_LT(first.seconds, 30);
  EXPECT_LT(other.seconds, 30);
}

// The other one is busy for a moment when it hears of it.  The first one would wait for 3 seconds.
TEST(Peers, WaitForEachOtherWhenOneIsLost) {
  LocalNetwork network(3);
  network.silence(1);
  std::atomic<bool> is_busy{true};
  std::thread thread([&] { end_of(network.of(2), 60, 0.2, &is_busy); });
  const LostEnd first = end_of(network.of(0), 3);
  EXPECT_FALSE(is_busy) << "a launcher would have ended the other one";
  EXPECT_EQ(first.ends, 0);
  thread.join();
}

TEST(Peers, DoNotWaitForLongForRanksThatDoNotPart) {
  LocalNetwork network(3);
  network.silence(1);
  network.silence(2);
  const LostEnd first = end_of(network.of(0), 0.3);
  EXPECT_EQ(first.sentence, kSilent);
  EXPECT_LT(first.seconds, 30);
  EXPECT_EQ(first.ends, 0);
}

TEST(Peers, EndTheTransportIfAllAreThere) {
  LocalNetwork network(2);
  LostEnd other;
  std::thread thread([&] { other = end_of(network.of(1), 60); });
  const LostEnd first = end_of(network.of(0), 60);
  thread.join();
  EXPECT_EQ(first.ends, 1);
  EXPECT_EQ(other.ends, 1);
}

// Ranks that wait for a busy one hear of it, as long as it looks after its messages now and then.
TEST(Peers, WaitForARankThatIsAlive) {
  LocalNetwork network(2);
  const std::optional<Error> error = on_ranks(network, 2, {7, 2}, [&](Peers& peers, FirstError&) {
    std::uint64_t number = 1;
    if (peers.rank() == 1)
      for (int i = 0; i < 120; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        peers.pump();
      }
    peers.add_up({&number, 1});
    EXPECT_EQ(number, 2);
  });
  EXPECT_FALSE(error) << error->what();
}

TEST(Peers, RefuseAnotherCheck) {
  LocalNetwork network(2);
  std::vector<std::thread> threads;
  for (unsigned rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      try {
        Peers peers(network.of(rank), {rank, 60});
        std::uint64_t number = 1;
        peers.add_up({&number, 1});
        ADD_FAILURE();
      } catch (const Error&) {
        network.lose(rank);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace spillway
