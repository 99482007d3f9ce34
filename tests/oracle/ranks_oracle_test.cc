// A check on several ranks against the reference on random graphs, with messages that are delayed
// and overtake each other, and buffers of absurd sizes.
//
// How many graphs: RC_PARAMS="max_success=10000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <iostream>
#include <random>

#include "check/durable/redistribute.h"
#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "oracle/ranks.h"
#include "oracle/small_searches.h"
#include "support/changed_steps.h"
#include "support/check_in_memory.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

struct Case {
  GraphSpec graph;
  SortedRunsSettings runs;
  RankSettings ranks;
  unsigned threads = 1;
};

void show(const Case& c, std::ostream& out) {
  out << c.graph.text()
      << fmt::format("# ranks {}, threads {}, disorder {}, on the way {}, mail {} and {}\n",
                     c.ranks.ranks, c.threads, c.ranks.disorder,
                     c.ranks.cluster.exchange.on_the_way, c.runs.mail_rows,
                     c.runs.mail_recent_rows);
}

const Algorithm& shared_runs() {
  static const struct Shared {
    Shared() { algorithm.on_ranks = &algorithm; }
    Algorithm algorithm = kSmallRuns;
  } shared;
  return shared.algorithm;
}

CheckOptions options_of(const Case& c, Cluster& cluster) {
  CheckOptions options;
  options.session.threads = c.threads;
  options.session.deadlock = c.graph.deadlock;
  options.session.cluster = &cluster;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.verify = true;
  return options;
}

std::vector<CheckResult> results_of(const Case& c) {
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder});
  return on_ranks(network, c.ranks, [&](unsigned, Cluster& cluster) {
    small_searches.runs = c.runs;
    const TestGraph model(c.graph);
    return check_in_memory(model, shared_runs(), options_of(c, cluster));
  });
}

std::string failure_of(const Case& c) {
  const TestGraph model(c.graph);
  const Expected expected = reference(model, c.graph.deadlock);
  const std::vector<CheckResult> results = results_of(c);
  for (unsigned rank = 0; rank < results.size(); ++rank)
    if (const std::string why = difference(model, c.graph.deadlock, results[rank], expected);
        !why.empty())
      return fmt::format("rank {}: {}", rank, why);
  return "";
}

Case arbitrary_case(bool deep) {
  Case c;
  c.graph = arbitrary_graph(deep);
  c.graph.accepting.clear();
  c.graph.sets = 0;
  c.graph.marks.clear();
  c.runs.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  c.runs.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  c.runs.chunk_bytes = *one_of<std::size_t>({30, 100, 4096});
  c.runs.cache_rows = *one_of<std::size_t>({2, 3, 50});
  c.runs.candidate_rows = *one_of<std::size_t>({1, 3, 1000});
  c.runs.merge_rows = *one_of<std::size_t>({1, 7, 100});
  c.runs.reserve_bytes = *one_of<std::size_t>({1, std::size_t{1} << 40});
  c.runs.alone_rows = *one_of<std::size_t>({0, 3, 256});
  c.runs.squeeze_states = *one_of<std::size_t>({1, 5, 20, 1000});
  c.runs.mail_rows = *one_of<std::size_t>({1, 2, 5, 100});
  c.runs.mail_recent_rows = *one_of<std::size_t>({2, 3, 100});
  c.ranks.ranks = *one_of<unsigned>({1, 2, 3, 4, 8});
  c.ranks.disorder = *one_of<std::uint64_t>({0, 1, 2, 3, 4, 5, 6, 7});
  c.ranks.cluster.exchange.on_the_way = *one_of<unsigned>({1, 2, 4});
  c.threads = *one_of<unsigned>({1, 1, 2});
  return c;
}

bool holds(bool deep) {
  return rc::check(deep ? "deep graphs" : "graphs", [deep] {
    const Case c = arbitrary_case(deep);
    const std::string why = failure_of(c);
    if (why.empty()) return;
    show(c, std::cerr);
    RC_FAIL(why);
  });
}

// What happens to a rank while it expands a state.
enum class Event { none, signal, disk, integrity, loss, silence };

class Eventful final : public ChangedSteps {
 public:
  Eventful(const Model& model, std::uint64_t at, std::function<void()> happen)
      : ChangedSteps(model), left_(at), happen_(std::move(happen)) {
    composition_.concrete = &model.concrete();  // nothing happens in counterexamples
  }
  void successors(State state, Successors& out) const override {
    if (left_.fetch_sub(1) == 1) happen_();
    ChangedSteps::successors(state, out);
  }

 private:
  mutable std::atomic<std::uint64_t> left_;
  const std::function<void()> happen_;
};

// One rank is stopped, fails or is lost: all of them end, and for the same reason.
std::string failure_of(Case c, Event event, unsigned on, std::uint64_t at) {
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder});
  std::atomic<bool> happened{false};
  if (event == Event::silence) c.ranks.cluster.silent_seconds = 0.3;
  const std::vector<CheckResult> results =
      on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
        small_searches.runs = c.runs;
        const TestGraph graph(c.graph);
        StopToken stop;
        const Eventful model(graph, rank == on ? at : 0, [&] {
          happened = true;
          switch (event) {
            case Event::none: return;
            case Event::signal: return stop.note(StopReason::interrupted);
            case Event::disk: throw Error(Fault::disk, "full");
            case Event::integrity: throw Error(Fault::integrity, "damaged");
            case Event::loss: return network.lose(on);
            case Event::silence: return network.silence(on);
          }
        });
        CheckOptions options = options_of(c, cluster);
        options.session.stop = &stop;
        return check_in_memory(model, shared_runs(), options);
      });
  const TestGraph model(c.graph);
  const Expected expected = reference(model, c.graph.deadlock);
  const auto of = [&](unsigned rank) { return results[rank].verdict; };
  for (unsigned rank = 0; rank < results.size(); ++rank) {
    const bool is_whole = difference(model, c.graph.deadlock, results[rank], expected).empty();
    // On a busy machine any rank may seem to be silent for so short a time.
    if (!happened && !is_whole && event != Event::silence)
      return fmt::format("rank {} without event", rank);
    // A counterexample may have been found in spite of it.
    if (is_whole || of(rank).outcome == Outcome::violated) continue;
    const Exit wanted = event == Event::signal      ? Exit::interrupted
                        : event == Event::disk      ? Exit::disk
                        : event == Event::integrity ? Exit::integrity
                                                    : Exit::lost;
    if (of(rank).exit != wanted)
      return fmt::format("rank {} ends with {}: {}", rank, static_cast<int>(of(rank).exit),
                         of(rank).reason);
  }
  return "";
}

TEST(Ranks, EndTogether) {
  const bool held = rc::check("events", [] {
    const Case c = arbitrary_case(false);
    const Event event = *one_of<Event>({Event::none, Event::signal, Event::signal, Event::disk,
                                        Event::integrity, Event::loss, Event::silence});
    const unsigned on = *rc::gen::inRange(0U, c.ranks.ranks);
    const std::uint64_t at = *rc::gen::inRange<std::uint64_t>(1, 30);
    const std::string why = failure_of(c, event, on, at);
    if (why.empty()) return;
    show(c, std::cerr);
    std::cerr << fmt::format("# event {} on {} at {}\n", static_cast<int>(event), on, at);
    RC_FAIL(why);
  });
  EXPECT_TRUE(held);
}

// What a rank keeps from process to process.
struct Kept {
  MemoryDisk disk;
  const RunMark run{Identity::drawn()};
};

using Parts = std::vector<std::unique_ptr<Kept>>;

Parts new_parts(unsigned ranks) {
  Parts parts;
  for (unsigned i = 0; i < ranks; ++i) parts.push_back(std::make_unique<Kept>());
  return parts;
}

std::unique_ptr<Journal> journal_of(Disk& disk, const RunMark& run, std::size_t words,
                                    unsigned rank, unsigned ranks, bool patient = false) {
  JournalSettings settings;
  settings.patient = patient;
  settings.run = run;
  settings.least_seconds = 0;
  settings.share = 1;
  settings.rank = rank;
  settings.ranks = ranks;
  return std::make_unique<Journal>(disk, words, std::uint64_t{64} << 20, settings);
}

std::unique_ptr<Journal> journal_of(Kept& kept, std::size_t words, unsigned rank, unsigned ranks) {
  return journal_of(kept.disk, kept.run, words, rank, ranks);
}

CheckResult check_durably(const Case& c, const Model& model, Cluster& cluster, Journal& journal,
                          const StopToken& stop, std::uint64_t depth = kUnlimited) {
  small_searches.runs = c.runs;
  CheckOptions options = options_of(c, cluster);
  options.verify = false;
  options.journal = &journal;
  options.session.stop = &stop;
  options.session.limits.max_depth = depth;
  Algorithm algorithm = shared_runs();
  algorithm.durable = true;
  return check_in_memory(model, algorithm, options);
}

CheckResult check_durably(const Case& c, const Model& model, Cluster& cluster, Kept& kept,
                          const StopToken& stop, std::uint64_t depth = kUnlimited) {
  const std::unique_ptr<Journal> journal =
      journal_of(kept, model.words(), cluster.rank(), cluster.ranks());
  return check_durably(c, model, cluster, *journal, stop, depth);
}

// The run is shared out anew, among another number of ranks.
Parts redistributed(const Parts& from, std::size_t words, unsigned ranks) {
  Parts to = new_parts(ranks);
  std::vector<std::unique_ptr<Journal>> before, after;
  for (unsigned i = 0; i < from.size(); ++i)
    before.push_back(journal_of(*from[i], words, i, static_cast<unsigned>(from.size())));
  for (unsigned i = 0; i < ranks; ++i) after.push_back(journal_of(*to[i], words, i, ranks));
  Crew crew(2);
  redistribute(before, after, crew);
  return to;
}

// Ranks are lost again and again, each time after more messages, and resume, also on other numbers
// of ranks if there is somebody to choose them.
using ChooseRanks = std::function<unsigned()>;
std::string failure_of(Case c, std::uint64_t first, std::uint64_t& resumed,
                       const ChooseRanks& choose) {
  Parts kept = new_parts(c.ranks.ranks);
  const TestGraph graph(c.graph);
  const Expected expected = reference(graph, c.graph.deadlock);
  bool signals = false;
  for (std::uint64_t lose_at = first;; lose_at += signals ? lose_at + 1 : 0) {
    signals = !signals;
    LocalNetwork network(c.ranks.ranks, {c.ranks.disorder, signals ? 0 : lose_at});
    const std::vector<CheckResult> results =
        on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
          const TestGraph own(c.graph);
          StopToken stop;
          // In turns with losses, a rank is stopped, and all of them save what they have.
          const std::uint64_t at = rank == 0 && signals ? lose_at / 8 + 1 : 0;
          const Eventful model(own, at, [&] { stop.note(StopReason::interrupted); });
          return check_durably(c, model, cluster, *kept[rank], stop);
        });
    bool lost = false;
    for (const CheckResult& result : results) {
      if (result.earlier_states != 0) ++resumed;
      const bool ended =
          result.verdict.exit == Exit::lost || result.verdict.exit == Exit::interrupted;
      lost = lost || ended;
      if (ended) continue;
      // A counterexample may have been found in a level that is not complete.
      if (signals && result.verdict.outcome == Outcome::violated && !expected.violated.empty())
        continue;
      if (const std::string why = difference(graph, c.graph.deadlock, result, expected);
          !why.empty())
        return why;
    }
    if (!lost) return "";
    if (!choose) continue;
    c.ranks.ranks = choose();
    kept = redistributed(kept, graph.words(), c.ranks.ranks);
  }
}

// A chain: one state after another, on ranks that are lost in the middle.  A few random graphs may
// all be too small for a checkpoint; this one is not.
Case a_long_chain() {
  constexpr Vertex kNodes = 60;
  Case c;
  c.graph.initial = {0};
  for (Vertex node = 0; node + 1 < kNodes; ++node) c.graph.edges.emplace_back(node, node + 1);
  c.ranks.ranks = 3;
  return c;
}

void expect_resumed_on_a_long_chain(const ChooseRanks& choose) {
  std::uint64_t resumed = 0;
  EXPECT_EQ(failure_of(a_long_chain(), 100, resumed, choose), "");
  EXPECT_GT(resumed, 0U);
}

TEST(Ranks, ResumeWhereAllOfThemWere) {
  std::uint64_t resumed = 0;
  const bool held = rc::check("losses", [&] {
    Case c = arbitrary_case(false);
    if (c.ranks.ranks == 1) c.ranks.ranks = 2;
    const std::uint64_t first = *rc::gen::inRange<std::uint64_t>(1, 100);
    const std::string why = failure_of(c, first, resumed, nullptr);
    if (why.empty()) return;
    show(c, std::cerr);
    std::cerr << "# first loss at message " << first << "\n";
    RC_FAIL(why);
  });
  EXPECT_TRUE(held);
  expect_resumed_on_a_long_chain(nullptr);
}

TEST(Ranks, ResumeOnAnotherNumberOfThem) {
  std::uint64_t resumed = 0;
  const bool held = rc::check("losses", [&] {
    Case c = arbitrary_case(false);
    const std::uint64_t first = *rc::gen::inRange<std::uint64_t>(1, 200);
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const std::string why =
        failure_of(c, first, resumed, [&] { return 1 + static_cast<unsigned>(random() % 5); });
    if (why.empty()) return;
    show(c, std::cerr);
    RC_FAIL(why);
  });
  EXPECT_TRUE(held);
  unsigned ranks = 1;
  expect_resumed_on_a_long_chain([&] { return ranks = ranks % 4 + 1; });
}

// Up to this depth, with a checkpoint after each level.
std::vector<CheckResult> results_to_depth(const Case& c, const Parts& kept, std::uint64_t depth) {
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder});
  return on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
    const TestGraph model(c.graph);
    const StopToken stop;
    return check_durably(c, model, cluster, *kept[rank], stop, depth);
  });
}

// Flips a bit in a file of the log that only the newest checkpoint speaks of.  False: there is none
// such.
bool damage_newest(Kept& kept, std::mt19937& random) {
  ManifestFiles files(kept.disk, kept.run);
  const std::vector<std::uint64_t> generations = files.generations();
  if (generations.size() < 2) return false;
  std::vector<LevelLog::LogFile> parts = files.read(generations[0]).parts;
  const std::vector<LevelLog::LogFile> before = files.read(generations[1]).parts;
  std::erase_if(parts, [&](const LevelLog::LogFile& part) {
    return std::ranges::count(before, part) != 0 ||
           kept.disk.bytes(LevelLog::name_of(part.file)).empty();
  });
  if (parts.empty()) return false;
  std::vector<std::byte>& bytes =
      kept.disk.bytes(LevelLog::name_of(parts[random() % parts.size()].file));
  bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
  return true;
}

// The log of one rank is damaged: all ranks resume from the checkpoint before, also if they are
// another number of ranks then.
TEST(Ranks, FallBackTogether) {
  std::uint64_t damaged = 0;
  const bool held = rc::check("damage", [&] {
    Case c = *one_of<bool>({true, false}) ? arbitrary_case(false) : a_long_chain();
    if (c.ranks.ranks == 1) c.ranks.ranks = 2;
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    Parts kept = new_parts(c.ranks.ranks);
    const TestGraph graph(c.graph);
    const Expected expected = reference(graph, c.graph.deadlock);
    const std::uint64_t depth = random() % 4;
    for (const std::uint64_t more : {0, 2, 5}) results_to_depth(c, kept, depth + more);
    const unsigned on = static_cast<unsigned>(random() % c.ranks.ranks);
    if (!damage_newest(*kept[on], random)) return;
    ++damaged;
    if (random() % 4 == 0) {
      c.ranks.ranks = 1 + static_cast<unsigned>(random() % 4);
      kept = redistributed(kept, graph.words(), c.ranks.ranks);
    }
    for (int again = 0; again < 2; ++again)
      for (const CheckResult& result : results_to_depth(c, kept, kUnlimited)) {
        const std::string why = difference(graph, c.graph.deadlock, result, expected);
        if (why.empty()) continue;
        show(c, std::cerr);
        RC_FAIL(fmt::format("damage on rank {}: {}: {}", on, why, result.verdict.reason));
      }
  });
  EXPECT_TRUE(held);
  EXPECT_GT(damaged, 0U);
}

// Once, the disk of one part does not give what is read: that is no damage, and no older checkpoint
// is taken for it.
TEST(Ranks, AreSharedOutWithTheirNewestCheckpointOrNotAtAll) {
  Case c = a_long_chain();
  c.ranks.ranks = 2;
  const Parts kept = new_parts(c.ranks.ranks);
  for (const std::uint64_t depth : {9, 20, 40}) results_to_depth(c, kept, depth);
  const std::size_t words = TestGraph(c.graph).words();
  const std::uint64_t newest = journal_of(*kept[0], words, 0, 2)->generation();
  std::uint64_t struck = 0;
  for (std::uint64_t at = 0;; ++at) {
    FaultyDisk faulty(kept[0]->disk);
    const Parts to = new_parts(1);
    std::vector<std::unique_ptr<Journal>> before, after;
    before.push_back(journal_of(faulty, kept[0]->run, words, 0, 2, true));
    before.push_back(journal_of(kept[1]->disk, kept[1]->run, words, 1, 2, true));
    after.push_back(journal_of(*to[0], words, 0, 1));
    faulty.set({Trouble::io_error, faulty.operations() + at, false, 0});
    Crew crew(1);
    const std::optional<Error> error = caught([&] { redistribute(before, after, crew); });
    if (error)
      EXPECT_EQ(error->fault(), Fault::system) << at << ": " << error->what();
    else
      EXPECT_EQ(before[0]->generation(), newest) << at;
    if (!faulty.struck()) break;
    ++struck;
  }
  EXPECT_GT(struck, 0U);
}

// A disk of one rank fails once, at any operation of a run with its last checkpoint: all ranks say
// what has failed, and nobody says that data is damaged.
TEST(Ranks, SayTheSameWhenADiskFails) {
  Case c = a_long_chain();
  c.ranks.ranks = 2;
  c.ranks.cluster.silent_seconds = 20;
  std::uint64_t struck = 0;
  for (std::uint64_t at = 0;; ++at) {
    const Parts kept = new_parts(c.ranks.ranks);
    FaultyDisk faulty(kept[0]->disk);
    LocalNetwork network(c.ranks.ranks, {0});
    const std::vector<CheckResult> results =
        on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
          const TestGraph model(c.graph);
          const StopToken stop;
          Disk& disk = rank == 0 ? static_cast<Disk&>(faulty) : kept[rank]->disk;
          const std::unique_ptr<Journal> journal =
              journal_of(disk, kept[rank]->run, model.words(), rank, cluster.ranks());
          if (rank == 0) faulty.set({Trouble::io_error, at, false, 0});
          return check_durably(c, model, cluster, *journal, stop, 2);
        });
    for (const CheckResult& result : results) {
      EXPECT_NE(result.verdict.exit, Exit::integrity) << at << ": " << result.verdict.reason;
      EXPECT_NE(result.verdict.exit, Exit::lost) << at << ": " << result.verdict.reason;
    }
    if (!faulty.struck()) break;
    ++struck;
  }
  EXPECT_GT(struck, 10U);
}

// One of two ranks has little memory, and a state that leads to many others.
TEST(Ranks, MayHaveDifferentMemory) {
  Case c;
  c.graph.initial = {0};
  for (Vertex node = 1; node <= 8000; ++node) c.graph.edges.emplace_back(0, node);
  LocalNetwork network(c.ranks.ranks);
  const std::vector<CheckResult> results =
      on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
        small_searches.runs = {};
        CheckOptions options = options_of(c, cluster);
        if (rank == 1) options.memory_bytes = 1 << 20;
        return check_in_memory(TestGraph(c.graph), shared_runs(), options);
      });
  for (const CheckResult& result : results) {
    EXPECT_EQ(result.verdict.outcome, Outcome::verified) << result.verdict.reason;
    EXPECT_EQ(result.statistics.states, 8001U);
  }
}

TEST(Ranks, AgreeWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false)); }

TEST(Ranks, AgreeWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
