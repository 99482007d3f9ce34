// Trim-out on several ranks, which are threads here, against trim-out on one.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "cases.h"
#include "passes/trim.h"
#include "unit/passes/some_graphs.h"

namespace spillway {
namespace {

// Where ranks meet.  What is told arrives at once or in the end.
class Table {
 public:
  Table(unsigned ranks, std::uint64_t late) : late_(late), all_(ranks), seats_(ranks) {}

  class Seat final : public TrimShare {
   public:
    Seat(Table& table, unsigned rank) : table_(table), rank_(rank) {}
    bool is_here(std::size_t block) const override { return block % table_.seats_.size() == rank_; }
    void begin(Node first, Node end, Gone gone) override {
      first_ = first, end_ = end;
      table_.seats_[rank_].gone = std::move(gone);
      table_.all_.arrive_and_wait();
    }
    void tell(unsigned /*thread*/, Node node) override {
      EXPECT_TRUE(node >= first_ && node < end_);
      ++told;
      for (Place& to : table_.seats_) {
        if (&to == &table_.seats_[rank_]) continue;
        if (table_.late_ == 0 || node % table_.late_ != 0) {
          to.gone(node);
          continue;
        }
        const std::lock_guard lock(to.mutex);
        to.late.push_back(node);
      }
    }
    void finish() override {
      table_.all_.arrive_and_wait();
      Place& own = table_.seats_[rank_];
      for (const Node node : own.late) own.gone(node);
      own.late.clear();
      table_.all_.arrive_and_wait();
    }
    bool any(bool own) override {
      if (own) table_.any_ = true;
      table_.all_.arrive_and_wait();
      const bool found = table_.any_;
      table_.all_.arrive_and_wait();
      table_.any_ = false;
      table_.all_.arrive_and_wait();
      return found;
    }
    std::atomic<std::uint64_t> told{0};

   private:
    Table& table_;
    const unsigned rank_;
    Node first_ = 0, end_ = 0;
  };

 private:
  struct Place {
    TrimShare::Gone gone;
    std::mutex mutex;
    std::vector<Node> late;
  };
  const std::uint64_t late_;
  std::barrier<> all_;
  std::vector<Place> seats_;
  std::atomic<bool> any_{false};
};

struct Leveled {
  Targets targets;
  std::vector<Node> ends;
};

// Steps lead to the next level or stay where they are; with `back`, some lead anywhere before.
Leveled some_levels(Random& random, bool back) {
  Leveled graph;
  const std::uint64_t levels = 1 + random() % 12;
  for (std::uint64_t i = 0; i < levels; ++i)
    graph.ends.push_back((i == 0 ? 0 : graph.ends.back()) + random() % 30 + (i == 0 ? 1 : 0));
  for (std::uint64_t i = 0; i < levels; ++i) {
    const Node end = graph.ends[i];
    const Node next = i + 1 < levels ? graph.ends[i + 1] - end : 0;
    for (Node node = graph.targets.size(); node < end; ++node) {
      std::vector<Node>& targets = graph.targets.emplace_back();
      for (std::uint64_t k = random() % 4; next != 0 && k-- > 0;)
        targets.push_back(end + random() % next);
      if (random() % 200 == 0) targets.push_back(node);
      if (back && random() % 8 == 0) targets.push_back(random() % end);
    }
  }
  return graph;
}

// With the blocks that are wanted.
template <class IsHere>
Edges edges_of(const Leveled& graph, Budget& budget, std::uint64_t block_nodes, IsHere is_here) {
  Edges edges(budget, graph.targets.size(), block_nodes);
  EdgeBlock block;
  for (std::size_t i = 0; i < edges.blocks(); ++i) {
    if (!is_here(i)) continue;
    block.begin(edges.begin(i));
    for (Node node = edges.begin(i); node < edges.end(i); ++node) block.add(graph.targets[node]);
    edges.put(i, block);
  }
  return edges;
}

std::vector<Node> nodes_of(const BitVector& set) {
  std::vector<Node> nodes;
  for (Node i = set.next(0); i < set.size(); i = set.next(i + 1)) nodes.push_back(i);
  return nodes;
}

TEST(TrimTogether, LeavesWhatOneRankLeavesInNoMorePasses) {
  Random random(7);
  std::uint64_t told = 0, left = 0;
  for (std::uint64_t round = 0; round < cases(30); ++round) {
    SCOPED_TRACE(round);
    const bool back = random() % 2 == 0;
    const Leveled graph = some_levels(random, back);
    const std::uint64_t block_nodes = 1 + random() % 20;
    Budget budget(std::uint64_t{1} << 24);
    Crew one(1);
    const Edges all = packed(graph.targets, budget, block_nodes);
    BitVector wanted(budget, graph.targets.size());
    wanted.fill(wanted.size());
    TrimCounts alone;
    ASSERT_TRUE(trim(all, wanted, budget, one, UINT64_MAX, nullptr, alone));

    const auto ranks = static_cast<unsigned>(1 + random() % 4);
    const auto threads = static_cast<unsigned>(1 + random() % 2);
    Table table(ranks, random() % 3);
    std::vector<std::vector<Node>> found(ranks);
    std::vector<TrimCounts> counts(ranks);
    std::atomic<std::uint64_t> here{0};
    std::vector<std::jthread> processes;
    for (unsigned rank = 0; rank < ranks; ++rank)
      processes.emplace_back([&, rank] {
        Table::Seat seat(table, rank);
        Budget own(std::uint64_t{1} << 24);
        Crew crew(threads);
        const Edges edges =
            edges_of(graph, own, block_nodes, [&](std::size_t i) { return seat.is_here(i); });
        BitVector set(own, graph.targets.size());
        set.fill(set.size());
        EXPECT_TRUE(
            trim_together(edges, set, {graph.ends, seat}, own, crew, nullptr, counts[rank]));
        found[rank] = nodes_of(set);
        here += seat.told;
      });
    processes.clear();
    for (unsigned rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(found[rank], nodes_of(wanted));
      EXPECT_EQ(counts[rank].passes, counts[0].passes);
      EXPECT_TRUE(back || counts[rank].passes == alone.passes);
    }
    EXPECT_EQ(here, wanted.size() - wanted.count()) << "each node is told once";
    told += here;
    left += wanted.count();
  }
  EXPECT_GT(told, 0U);
  EXPECT_GT(left, 0U);
}

}  // namespace
}  // namespace spillway
