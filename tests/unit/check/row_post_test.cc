// Rows on their way to the ranks that own them, and to all.
#include "check/ranks/row_post.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "language/graph/graph_model.h"
#include "support/local_network.h"
#include "unit/caught.h"

namespace spillway {
namespace {

constexpr Word kRows = 1000;
constexpr unsigned kRanks = 3;

const GraphModel& numbers() {
  static const GraphModel model = [] {
    std::string text = "initial 0\n";
    for (Word row = 1; row < kRows; ++row) text += fmt::format("{} -> {}\n", row - 1, row);
    return GraphModel("numbers", text);
  }();
  return model;
}

// What one rank of a round has, and has received.
struct Rank {
  Rank(LocalNetwork& network, unsigned number, bool to_all)
      : cluster(network.of(number), {}),
        post(cluster, [](unsigned) {}, budget, numbers(), crew, {to_all, 16, 1}) {
    post.begin(1);
  }
  bool owns(Word row) const { return cluster.owner(State(&row, 1)) == cluster.rank(); }
  void put(unsigned to, Word row) { post.put(0, to, &row, receive); }
  std::vector<Word> finish() {
    post.finish(0, receive);
    std::ranges::sort(received);
    return received;
  }

  Cluster cluster;
  Budget budget{1 << 20};
  Crew crew{1};
  std::vector<Word> received;
  const RowPost<1>::Receive receive = [this](States rows) {
    for (const State row : rows) received.push_back(row[0]);
  };
  RowPost<1> post;
};

// Each rank sends what send(rank) puts.  What they have received, by rank.
template <class Send>
std::vector<std::vector<Word>> round(bool to_all, Send send) {
  LocalNetwork network(kRanks);
  std::vector<std::vector<Word>> received(kRanks);
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < kRanks; ++number)
    threads.emplace_back([&, number] {
      Rank rank(network, number, to_all);
      send(rank);
      received[number] = rank.finish();
    });
  for (std::thread& thread : threads) thread.join();
  return received;
}

TEST(RowPost, BringsRowsToTheirOwners) {
  const std::vector<std::vector<Word>> received = round(false, [](Rank& rank) {
    for (Word row = 0; row < kRows; ++row)
      if (!rank.owns(row)) rank.put(rank.cluster.owner(State(&row, 1)), row);
  });
  const Owners owners(kRanks);
  for (unsigned number = 0; number < kRanks; ++number) {
    std::vector<Word> own;
    for (Word row = 0; row < kRows; ++row)
      if (owners.of(State(&row, 1)) == number) own.insert(own.end(), kRanks - 1, row);
    EXPECT_EQ(received[number], own);
  }
}

TEST(RowPost, BringsOwnRowsToAllOthers) {
  const std::vector<std::vector<Word>> received = round(true, [](Rank& rank) {
    for (Word row = 0; row < kRows; ++row)
      if (rank.owns(row)) rank.put(0, row);
  });
  const Owners owners(kRanks);
  for (unsigned number = 0; number < kRanks; ++number) {
    std::vector<Word> of_others;
    for (Word row = 0; row < kRows; ++row)
      if (owners.of(State(&row, 1)) != number) of_others.push_back(row);
    EXPECT_EQ(received[number], of_others);
  }
}

// A row that its sender has put wrongly, in a network of two.
std::string refusal(bool to_all) {
  LocalNetwork network(2);
  std::thread sends([&] {
    Rank rank(network, 1, to_all);
    Word row = 0;
    while (rank.owns(row) == to_all) ++row;         // own rows go to all, others to their owner
    for (int i = 0; i < 16; ++i) rank.put(0, row);  // sent at once
  });
  Rank rank(network, 0, to_all);
  const std::optional<Error> error = caught([&] { rank.finish(); });
  sends.join();
  return error && error->fault() == Fault::integrity ? error->what() : "none";
}

TEST(RowPost, RefusesRowsThatDoNotBelongThere) {
  EXPECT_EQ(refusal(false), "rank 1 has sent a state that does not belong here");
  EXPECT_EQ(refusal(true), "rank 1 has sent a state that does not belong to it");
}

}  // namespace
}  // namespace spillway
