// What the unit tests of net/ do with ranks that are threads, by the processes that mpirun has
// started: each of them runs all of these tests, in the same order.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include "../cases.h"
#include "base/error.h"
#include "commit.h"
#include "net/exchange.h"
#include "net/load_transport.h"
#include "net/peers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {
namespace {

constexpr double kSilentSeconds = 60;

std::unique_ptr<Transport> transport;
std::unique_ptr<Peers> peers;

void wait_for_all() {
  std::uint64_t one = 1;
  peers->add_up({&one, 1});
  ASSERT_EQ(one, peers->ranks());
}

std::vector<std::byte> random_bytes(std::mt19937_64& random, std::size_t before,
                                    std::size_t length) {
  std::vector<std::byte> bytes(before + length);
  for (std::size_t i = before; i < bytes.size(); i += 8) {
    const std::uint64_t number = random();
    std::memcpy(&bytes[i], &number, std::min<std::size_t>(8, bytes.size() - i));
  }
  return bytes;
}

// What has gone from one rank to another.
struct Flow {
  std::atomic<std::uint64_t> messages = 0;
  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<std::uint64_t> hashes = 0;

  void add(std::span<const std::byte> contents) {
    ++messages;
    bytes += contents.size();
    hashes += XXH3_64bits(contents.data(), contents.size());
  }
  void append_to(std::vector<std::uint64_t>& numbers) const {
    numbers.insert(numbers.end(), {messages, bytes, hashes});
  }
};
constexpr std::size_t kNumbersOfFlow = 3;

struct Case {
  std::uint64_t seed = 0;
  unsigned threads = 1;
  unsigned on_the_way = 4;
  std::uint64_t messages = 30;
  std::size_t most_bytes = 300 * 1024;  // those of a few KiB are sent in another way by MPI
};

// One exchange of random messages, and what this rank has seen of it.
class RandomExchange {
 public:
  RandomExchange(Exchange& exchange, const Case& of)
      : exchange_(exchange), case_(of), sent_(peers->ranks()), received_(peers->ranks()) {}

  void run() {
    exchange_.begin();
    sending_ = case_.threads;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < case_.threads; ++i) threads.emplace_back([this, i] { work(i); });
  }

  // Of each pair of ranks, what was sent is what was received.
  void compare() const {
    std::vector<std::uint64_t> own;
    for (const Flow& flow : sent_) flow.append_to(own);
    for (const Flow& flow : received_) flow.append_to(own);
    const std::vector<std::vector<std::byte>> all = peers->gather(std::as_bytes(std::span(own)));
    const auto flow = [&](unsigned at, std::size_t number) {
      std::vector<std::uint64_t> numbers(kNumbersOfFlow);
      std::memcpy(numbers.data(), all[at].data() + number * kNumbersOfFlow * 8, kNumbersOfFlow * 8);
      return numbers;
    };
    for (unsigned from = 0; from < peers->ranks(); ++from)
      for (unsigned to = 0; to < peers->ranks(); ++to)
        EXPECT_EQ(flow(from, to), flow(to, peers->ranks() + from)) << from << " to " << to;
  }

  std::uint64_t sent() const {
    std::uint64_t sum = 0;
    for (const Flow& flow : sent_) sum += flow.messages;
    return sum;
  }

 private:
  void work(unsigned thread) {
    std::mt19937_64 random(case_.seed * 1000 + peers->rank() * 10 + thread);
    for (std::uint64_t i = 0; i < case_.messages; ++i) {
      const auto to = static_cast<unsigned>((peers->rank() + 1 + random() % (peers->ranks() - 1)) %
                                            peers->ranks());
      const std::size_t length = random() % (random() % 2 == 0 ? 200 : case_.most_bytes);
      std::vector<std::byte> message = random_bytes(random, Exchange::kRoomBefore, length);
      sent_[to].add(std::span(message).subspan(Exchange::kRoomBefore));
      while (!exchange_.send(to, message)) take();
    }
    if (--sending_ == 0) exchange_.end();
    peers->pump_until([this] {
      take();
      return exchange_.is_over();
    });
  }

  void take() {
    const std::optional<Exchange::Batch> batch = exchange_.take();
    if (!batch) return std::this_thread::yield();
    received_[batch->from].add(batch->bytes());
  }

  Exchange& exchange_;
  const Case case_;
  std::vector<Flow> sent_;
  std::vector<Flow> received_;
  std::atomic<unsigned> sending_ = 0;
};

TEST(Ranks, AddUpTheSameForAll) {
  const std::uint64_t ranks = peers->ranks();
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<std::uint64_t> numbers{1, peers->rank(), round << 60};
    peers->add_up(numbers);
    ASSERT_EQ(numbers,
              (std::vector<std::uint64_t>{ranks, ranks * (ranks - 1) / 2, (round << 60) * ranks}));
  }
}

TEST(Ranks, GatherWhatEachHasGivenInTheirOrder) {
  for (const std::size_t unit : {std::size_t{0}, std::size_t{1000}, std::size_t{2} << 20}) {
    const std::vector<std::byte> own(peers->rank() * unit, std::byte(peers->rank()));
    const std::vector<std::vector<std::byte>> all = peers->gather(own);
    ASSERT_EQ(all.size(), peers->ranks());
    for (unsigned rank = 0; rank < peers->ranks(); ++rank)
      ASSERT_TRUE(all[rank] == std::vector<std::byte>(rank * unit, std::byte(rank))) << rank;
  }
}

TEST(Ranks, ExchangeEachMessageOnce) {
  std::uint64_t sent = 0;
  for (std::uint64_t seed = 0; seed < cases(4); ++seed) {
    const Case of{seed, 1 + static_cast<unsigned>(seed % 2), 1 + static_cast<unsigned>(seed % 4)};
    Exchange exchange(*peers, {of.on_the_way});
    wait_for_all();
    RandomExchange random(exchange, of);
    random.run();
    random.compare();
    sent += random.sent();
    EXPECT_EQ(random.sent(), of.threads * of.messages);
  }
  EXPECT_GT(sent, 0);
}

TEST(Ranks, ExchangeLargeMessages) {
  Exchange exchange(*peers, {2});
  wait_for_all();
  RandomExchange random(exchange, {7, 1, 2, 4, std::size_t{12} << 20});
  random.run();
  random.compare();
  EXPECT_EQ(random.sent(), 4);
}

// A rank that takes nothing is sent no more than a few messages by each other one.
TEST(Ranks, BoundWhatIsOnItsWay) {
  Exchange exchange(*peers, {3});
  wait_for_all();
  exchange.begin();
  if (peers->rank() != 0) {
    std::mt19937_64 random(peers->rank());
    std::vector<std::byte> message = random_bytes(random, Exchange::kRoomBefore, 100'000);
    int sent = 0;
    for (int i = 0; i < 100; ++i) {
      peers->pump();
      if (!exchange.send(0, message)) continue;
      ++sent;
      message = random_bytes(random, Exchange::kRoomBefore, 100'000);
    }
    EXPECT_EQ(sent, 3);
  }
  exchange.end();
  wait_for_all();
  std::uint64_t taken = 0;
  peers->pump_until([&] {
    taken += exchange.take().has_value();
    return exchange.is_over();
  });
  EXPECT_EQ(taken, peers->rank() == 0 ? 3 * (peers->ranks() - 1) : 0);
}

// One rank ends with an error.  The others are told.
int lose(unsigned rank) {
  if (peers->rank() == rank) {
    peers.reset();
    transport.reset();
    return 75;
  }
  try {
    peers->pump_until([] { return false; });
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 75;
}

// All ranks work until somebody kills one.
int work_for_ever() {
  std::fprintf(stderr, "rank %u is process %d\n", peers->rank(), static_cast<int>(getpid()));
  for (;;) wait_for_all();
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  transport = load_transport(SPILLWAY_COMMIT);
  if (!transport) {
    std::fprintf(stderr, "alone\n");
    return 0;
  }
  peers = std::make_unique<Peers>(*transport, PeersSettings{7, kSilentSeconds});
  if (argc == 3 && std::string_view(argv[1]) == "lose")
    return lose(static_cast<unsigned>(std::stoul(argv[2])));
  if (argc == 2 && std::string_view(argv[1]) == "work") return work_for_ever();
  const int failed = RUN_ALL_TESTS();
  wait_for_all();
  peers.reset();
  transport->end();
  return failed;
}

}  // namespace
}  // namespace spillway

int main(int argc, char** argv) {
  try {
    return spillway::run(argc, argv);
  } catch (const spillway::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 150;
  }
}
