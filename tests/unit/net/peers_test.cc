#include "net/peers.h"

#include <gtest/gtest.h>

#include "../../cases.h"
#include "ranks.h"

namespace spillway {
namespace {

constexpr Peers::Settings kSettings{7, 60};

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
  const std::optional<Error> error = on_ranks(network, 3, {7, 0.2}, [&](Peers& peers, FirstError&) {
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
  EXPECT_STREQ(error->what(), "rank 1 has been silent for 0.2 seconds");
}

// Ranks that wait for a busy one hear of it, as long as it looks after its messages now and then.
TEST(Peers, WaitForARankThatIsAlive) {
  LocalNetwork network(2);
  const std::optional<Error> error = on_ranks(network, 2, {7, 0.3}, [&](Peers& peers, FirstError&) {
    std::uint64_t number = 1;
    if (peers.rank() == 1)
      for (int i = 0; i < 40; ++i) {
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
