// Successors on their way to other ranks, without a search.
#include "search/runs/mail.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/error.h"
#include "language/graph/graph_model.h"
#include "support/local_network.h"

namespace spillway {
namespace {

constexpr std::size_t kRowsTogether = 8;
constexpr Word kNumbers = 2000;

// Its states are the numbers that are sent.
const GraphModel& graph() {
  static const GraphModel model = [] {
    std::string text = "initial s0\n";
    for (Word number = 1; number < kNumbers; ++number)
      text += fmt::format("s{} -> s{}\n", number - 1, number);
    return GraphModel("graph", text);
  }();
  return model;
}

// What one rank has, for rows of one word and one thread.
struct Office {
  Office(LocalNetwork& network, unsigned rank)
      : cluster(network.of(rank), {}),
        mail(make_mail(cluster, lookout, budget, graph(), crew, {kRowsTogether, 2})) {
    mail->begin(1);
  }

  // The rows from here to there, of so many numbers.
  std::vector<Word> rows_for(unsigned to, Word numbers) const {
    std::vector<Word> rows;
    for (Word number = 0; number < numbers; ++number)
      if (cluster.owner(State(&number, 1)) == to) rows.push_back(number);
    return rows;
  }
  States sort_out(const std::vector<Word>& rows) {
    return mail->sort_out(0, {rows.data(), rows.size(), 1}, receive);
  }
  void finish() { mail->finish({receive}); }

  Cluster cluster;
  Lookout lookout{{}, [] { return Progress(); }};
  Budget budget{1 << 20};
  Crew crew{1};
  std::vector<Word> received;
  const Mail::Receive receive = [this](States rows) {
    for (const State row : rows) received.push_back(row[0]);
  };
  std::unique_ptr<Mail> mail;
};

// Of two ranks one has many successors for the other, which has hardly any: it has to take them
// while it expands, or the first one would stand still until it is done.
TEST(Mail, ARankThatExpandsTakesWhatHasArrived) {
  LocalNetwork network(2);
  std::atomic<bool> is_sent{false};
  bool was_sent_in_time = false;
  std::vector<Word> received;
  std::thread expands([&] {
    Office office(network, 1);
    const std::vector<Word> same(64, office.rows_for(0, 100).front());
    const auto begun = std::chrono::steady_clock::now();
    while (!is_sent && std::chrono::steady_clock::now() - begun < std::chrono::seconds(120))
      EXPECT_EQ(office.sort_out(same).size(), 0U);
    was_sent_in_time = is_sent;
    office.finish();
    std::ranges::sort(office.received);
    received = office.received;
  });
  Office office(network, 0);
  const std::vector<Word> rows = office.rows_for(1, kNumbers);
  EXPECT_EQ(office.sort_out(rows).size(), 0U);
  is_sent = true;
  office.finish();
  expands.join();
  EXPECT_TRUE(was_sent_in_time);
  EXPECT_EQ(received, rows);
  EXPECT_EQ(office.received.size(), 1U);
}

TEST(Mail, OwnSuccessorsComeBackInTheirOrder) {
  LocalNetwork network(2);
  std::thread other([&] { Office(network, 1).finish(); });
  Office office(network, 0);
  std::vector<Word> rows;
  for (Word number = 0; number < 1000; ++number) rows.push_back(number);
  std::vector<Word> own;
  for (const State row : office.sort_out(rows)) own.push_back(row[0]);
  EXPECT_EQ(own, office.rows_for(0, 1000));
  office.finish();
  other.join();
}

TEST(Mail, ARowThatIsNoStateIsRefused) {
  LocalNetwork network(2);
  std::thread sends([&] {
    Office office(network, 1);
    std::vector<Word> rows;
    for (Word number = kNumbers; rows.size() < 2 * kRowsTogether; ++number)
      if (office.cluster.owner(State(&number, 1)) == 0) rows.push_back(number);
    office.sort_out(rows);  // which sends them, because they are so many
  });
  Office office(network, 0);
  try {
    office.finish();
    ADD_FAILURE() << "it has been taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::integrity);
    EXPECT_NE(std::string(error.what()).find("that rank 1 has sent is none"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(office.received.empty());
  sends.join();
}

}  // namespace
}  // namespace spillway
