// Products whose searches are stopped, killed, or lose their disk's power, and are continued: the
// verdicts, counts and lassos must be those of a check that was left alone.
//
// How many: SPILLWAY_CASES=1000 (of each kind).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <random>

#include "cases.h"
#include "check/check.h"
#include "check/durable/file_names.h"
#include "check/durable/product_journal.h"
#include "io/data/system_disk.h"
#include "oracle/expected_lasso.h"
#include "oracle/layered_graph.h"
#include "oracle/small_searches.h"
#include "support/check_in_memory.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

// In memory, acceptance is decided when all states are known; as sorted runs, on the way.
const Algorithm kProductsInMemory{
    .name = "ram",
    .summary = "",
    .states = [](const SearchContext& context) { return make_ram(context, small_ram()); },
    .durable = true};
const Algorithm kProductsAsRuns{.name = "sorted-runs",
                                .summary = "",
                                .states =
                                    [](const SearchContext& context) {
                                      return context.with_acceptance ? kSmallSpilled.make(context)
                                                                     : kSmallAuto.make(context);
                                    },
                                .uses_disk = true,
                                .durable = true};

const Algorithm kProductsAnywhere{.name = "auto",
                                  .summary = "",
                                  .states =
                                      [](const SearchContext& context) {
                                        return context.with_acceptance
                                                   ? kSmallAutoCycles.make(context)
                                                   : kSmallAuto.make(context);
                                      },
                                  .uses_disk = true,
                                  .durable = true};

// A system and two products.
struct Case {
  explicit Case(Random& random)
      : system(without_acceptance(layered_graph(random))),
        first_graph(some_product(random)),
        first(first_graph),
        second(some_product(random)),
        algorithm(
            *std::array{&kProductsInMemory, &kProductsAsRuns, &kProductsAnywhere}[random() % 3]) {
    spilled.first_check = 1 + random() % 200;
    spilled.growth = spilled.later_growth = 1.2 + static_cast<double>(random() % 10) / 10;
  }

  static GraphSpec without_acceptance(GraphSpec graph) {
    graph.accepting.clear();
    graph.sets = 0;
    graph.marks.clear();
    graph.parts.clear();
    graph.bad.clear();
    graph.failing.clear();
    return graph;
  }
  // In memory, a search ends at the level where it sees one; as sorted runs, at the next check.
  static GraphSpec without_loops(GraphSpec graph) {
    for (std::size_t i = graph.edges.size(); i-- > 0;) {
      if (graph.edges[i].first != graph.edges[i].second) continue;
      graph.edges.erase(graph.edges.begin() + static_cast<std::ptrdiff_t>(i));
      if (!graph.marks.empty())
        graph.marks.erase(graph.marks.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return graph;
  }
  // Half of them have no accepting cycle.
  static GraphSpec some_product(Random& random) {
    GraphSpec graph = without_loops(layered_graph(random));
    if (random() % 2 == 0) return graph;
    graph = without_acceptance(std::move(graph));
    Vertex last = 0;
    for (const auto& [from, to] : graph.edges) last = std::max({last, from, to});
    graph.edges.emplace_back(graph.initial.front(), last + 1);
    graph.accepting = {last + 1};
    return graph;
  }

  TestGraph system;
  GraphSpec first_graph;
  TestGraph first, second;
  const Algorithm& algorithm;
  RunsCyclesSettings spilled;
};

SmallSearches any_sizes(Random& random, const Case& of) {
  SmallSearches sizes;
  sizes.spilled = of.spilled;
  sizes.levels.first_check = of.spilled.first_check;  // the same schedule
  sizes.levels.growth = of.spilled.growth;
  sizes.levels.ram = small_ram();
  sizes.leave_states = 1 + random() % 200;
  SortedRunsSettings& runs = sizes.runs;
  runs.block_rows = 1 + random() % 6;
  runs.chunk_bytes = 1 + random() % 100;
  runs.candidate_rows = 1 + random() % 30;
  runs.merge_rows = 1 + random() % 30;
  runs.reserve_bytes = random() % 2 == 0 ? 1 : std::size_t{1} << 40;
  runs.fan_in = 2 + random() % 3;
  runs.squeeze_states = 1 + random() % 60;
  return sizes;
}

// One process's part of a check.
struct Part {
  Limits limits = {};
  Disk* scratch = nullptr;
  bool often = true;  // checkpoints at every level, and every decided product is recorded
  unsigned threads = 1;
  const Model* first = nullptr;  // the first product, as another build makes it
};

// What later processes have said that they did not make again, and what they did.
struct Kept {
  std::uint64_t edges = 0;
  std::uint64_t passes = 0;
  std::uint64_t damaged = 0;  // products whose checkpoints could not be used
};
Kept kept_by_all;

CheckResult go_on(const Case& of, Random& random, Disk& disk, const Part& part) {
  small_searches = any_sizes(random, of);
  JournalSettings settings;
  settings.least_seconds = part.often ? 0 : 1e9;
  settings.share = 1e9;
  settings.shape = BlockShape::of(of.system.words());
  settings.shape->rows = 7;
  settings.shape->group_rows = 3;
  CheckOptions options;
  options.session.threads = part.threads;
  options.session.limits = part.limits;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.disk = part.scratch;
  options.session.announcer = [](const std::string& sentence) {
    kept_by_all.edges += sentence.starts_with("the edges between the states were kept") ? 1 : 0;
    kept_by_all.passes += sentence.starts_with("passes go on") ? 1 : 0;
    kept_by_all.damaged += sentence.starts_with("checkpoint skipped") ? 1 : 0;
  };
  const Model* const first = part.first != nullptr ? part.first : &of.first;
  for (const Model* product : {first, static_cast<const Model*>(&of.second)})
    options.runs.push_back(
        {"a formula", PropertyKind::ltl, [product]() -> const Model& { return *product; }});
  try {
    Journal journal(disk, of.system.words(), std::uint64_t{1} << 20, settings);
    options.journal = &journal;
    return check_in_memory(of.system, of.algorithm, options);
  } catch (const Error& error) {  // as the program says it
    CheckResult refused;
    refused.verdict = {Outcome::error, exit_of(error.fault()), error.what()};
    return refused;
  }
}

Part some_part(Random& random) {
  Part part;
  part.often = random() % 3 != 0;
  part.threads = 1 + static_cast<unsigned>(random() % 3);
  return part;
}

CheckResult left_alone(const Case& of, Random& random) {
  MemoryDisk disk;
  return go_on(of, random, disk, {});
}

bool is_final(const CheckResult& result) {
  return result.verdict.outcome == Outcome::verified ||
         (result.verdict.outcome == Outcome::violated && result.runs.back().decided);
}

std::string counts(const Statistics& of) {
  std::string text = fmt::format("{} {} {}", of.states, of.transitions, of.digest.hex());
  for (const Level& level : of.levels)
    text += fmt::format(" / {} {} {}", level.states, level.transitions, level.digest.hex());
  return text;
}

std::string text_of(const CheckResult& result) {
  std::string text = fmt::format("{} {}\n{}\n", static_cast<int>(result.verdict.outcome),
                                 static_cast<int>(result.verdict.exit), counts(result.statistics));
  for (const RunResult& run : result.runs)
    text += fmt::format("{} {}\n", run.decided, run.product ? counts(*run.product) : "none");
  for (const Trace& trace : result.traces) {
    text += fmt::format("trace {} loop {}:", trace.run, trace.finding.loop.size());
    for (const Step& step : trace.steps) text += fmt::format(" {}", fmt::join(step.row, ","));
    text += "\n";
  }
  return text;
}

#define ASSERT_SAME(result, expected) \
  ASSERT_EQ(text_of(result), expected) << (result).verdict.reason << ", " << (result).no_room

// The reference knows nothing of journals.
TEST(DurableProducts, HaveTheLassosOfTheReference) {
  Random random(20);
  std::uint64_t cycles = 0;
  for (int i = 0; i < 12; ++i) {
    const Case some(random);
    const CheckResult result = left_alone(some, random);
    const bool first = expected_lasso(some.first).has_value();
    const bool second = expected_lasso(some.second).has_value();
    ASSERT_EQ(result.verdict.outcome, first || second ? Outcome::violated : Outcome::verified);
    ASSERT_EQ(result.traces.size(), (first ? 1U : 0U) + (second ? 1U : 0U));
    cycles += result.traces.size();
  }
  EXPECT_GT(cycles, 4U);
  EXPECT_LT(cycles, 20U);
}

TEST(DurableProducts, AreStoppedAgainAndAgain) {
  Random random(21);
  std::uint64_t stops = 0;
  std::uint64_t continued = 0;
  kept_by_all = {};
  while (stops < cases(100)) {
    const Case some(random);
    const std::string expected = text_of(left_alone(some, random));
    MemoryDisk disk;
    Part part = some_part(random);
    part.limits.timeout_seconds = 1e-4;
    CheckResult result;
    for (;;) {
      part.limits.timeout_seconds *= 1.2;
      result = go_on(some, random, disk, part);
      ASSERT_NE(result.verdict.outcome, Outcome::error) << result.verdict.reason;
      for (const RunResult& run : result.runs) continued += run.earlier_states != 0 ? 1 : 0;
      if (is_final(result)) break;
      ++stops;
      ASSERT_EQ(result.not_saved, "");
    }
    ASSERT_SAME(result, expected);
    ASSERT_SAME(go_on(some, random, disk, some_part(random)), expected);
  }
  std::cout << stops << " stops, " << continued << " searches of products continued\n";
  ASSERT_GT(continued, stops / 10);
  ASSERT_EQ(kept_by_all.damaged, 0U);
}

// A product that was decided is not searched again, and its log is gone.
TEST(DurableProducts, ThatAreDecidedStayDecided) {
  Random random(22);
  std::uint64_t decided = 0;
  for (int i = 0; i < 15; ++i) {
    const Case some(random);
    MemoryDisk disk;
    const CheckResult before = go_on(some, random, disk, {});
    const CheckResult after = go_on(some, random, disk, {});
    ASSERT_SAME(after, text_of(before));
    const std::vector<std::string> names = disk.list();
    for (std::size_t run = 0; run < 2; ++run) {
      const bool holds =
          std::ranges::none_of(before.traces, [&](const Trace& trace) { return trace.run == run; });
      if (!holds) continue;
      ++decided;
      ASSERT_EQ(after.runs[run].earlier_states, after.runs[run].product->states);
      const std::string log = fmt::format("product-{}-levels-", run);
      ASSERT_TRUE(std::ranges::none_of(
          names, [&](const std::string& name) { return name.starts_with(log); }));
    }
  }
  ASSERT_GT(decided, 5U);
}

// Nobody takes the checkpoint of one product for that of another.
TEST(DurableProducts, DoNotTakeFilesOfEachOther) {
  Random random(23);
  const Case some(random);
  MemoryDisk disk;
  const std::string expected = text_of(go_on(some, random, disk, {}));
  for (const std::string& name : disk.list())
    if (const auto file = run_file(name); file && file->product == 1) disk.remove(name);
  std::vector<std::string> names = disk.list();
  for (const std::string& name : names)
    if (auto file = run_file(name); file && file->product) {
      file->product = 1;
      disk.rename(name, name_of(*file));
    }
  ASSERT_SAME(go_on(some, random, disk, {}), expected);
}

// The same graph, whose nodes have other numbers.
GraphSpec renumbered(GraphSpec graph, Random& random) {
  Vertex last = 0;
  for (const auto& [from, to] : graph.edges) last = std::max({last, from, to});
  std::vector<Vertex> number(last + 1);
  for (Vertex node = 0; node <= last; ++node) number[node] = node;
  std::shuffle(number.begin(), number.end(), random);
  for (auto& [from, to] : graph.edges) {
    from = number[from];
    to = number[to];
  }
  for (Vertex& node : graph.initial) node = number[node];
  for (Vertex& node : graph.accepting) node = number[node];
  std::map<Vertex, std::uint32_t> parts;
  for (const auto& [node, part] : graph.parts) parts[number[node]] = part;
  graph.parts = std::move(parts);
  return graph;
}

Model of_another_build(const Model& model) {
  Composition composition = model.composition();
  composition.automaton = "an automaton with other numbers";
  return Model(std::move(composition));
}

// Another build translates a formula in another way, so rows of its product mean something else.
TEST(DurableProducts, OfAnotherAutomatonAreSearchedAgain) {
  Random random(28);
  std::uint64_t violated = 0;
  kept_by_all = {};
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const Case some(random);
    const CheckResult alone = left_alone(some, random);
    MemoryDisk disk;
    Part part = some_part(random);
    part.often = true;
    part.limits.timeout_seconds = i % 2 == 0 ? 1e9 : 1e-3 * static_cast<double>(i);
    go_on(some, random, disk, part);
    const TestGraph graph(renumbered(some.first_graph, random));
    const Model other = of_another_build(graph);
    part = some_part(random);
    part.first = &other;
    const CheckResult result = go_on(some, random, disk, part);
    ASSERT_EQ(result.verdict.outcome, alone.verdict.outcome) << result.verdict.reason;
    ASSERT_EQ(result.verdict.exit, alone.verdict.exit);
    ASSERT_EQ(result.runs[0].decided, alone.runs[0].decided);
    ASSERT_EQ(result.traces.size(), alone.traces.size());
    if (alone.traces.empty()) {
      ASSERT_EQ(result.runs[0].product->states, alone.runs[0].product->states);
    }
    violated += alone.traces.empty() ? 0 : 1;
  }
  EXPECT_GE(kept_by_all.damaged, 10U);
  EXPECT_GT(violated, 3U);
}

// What is left on a disk after the n-th operation, for many n, in several ways the power can go.
TEST(DurableProducts, PowerCanGoAtAnyTime) {
  Random random(24);
  std::uint64_t images = 0;
  while (images < cases(50)) {
    const Case some(random);
    const std::string expected = text_of(left_alone(some, random));
    bool struck = true;
    for (std::uint64_t at = random() % 40; struck && images < cases(50); at += 1 + random() % 40) {
      MemoryDisk memory(MemoryDisk::Power::may_go);
      FaultyDisk faulty(memory);
      faulty.set({Trouble::io_error, at, true, 0});
      const CheckResult first = go_on(some, random, faulty, some_part(random));
      struck = faulty.struck();
      if (is_final(first)) {
        ASSERT_SAME(first, expected);
      }
      memory.lose_power(random);
      ++images;
      ASSERT_SAME(go_on(some, random, memory, some_part(random)), expected);
    }
  }
  std::cout << images << " images\n";
}

// The same in the last operations, when the second product is complete and is being decided.
TEST(DurableProducts, PowerCanGoDuringThePasses) {
  Random random(27);
  std::uint64_t images = 0;
  kept_by_all = {};
  while (images < cases(50)) {
    const Case some(random);
    const CheckResult alone = left_alone(some, random);
    const std::string expected = text_of(alone);
    if (&some.algorithm == &kProductsAsRuns && alone.verdict.outcome == Outcome::violated) continue;
    for (int i = 0; i < 8; ++i) {
      Random same(random());
      const Part part = {.threads = 1};
      FaultPlan plan{Trouble::io_error, UINT64_MAX, true, 0};
      for (const bool is_real : {false, true}) {
        MemoryDisk memory(MemoryDisk::Power::may_go);
        FaultyDisk faulty(memory);
        faulty.set(plan);
        Random again = same;
        go_on(some, again, faulty, part);
        plan.at = faulty.operations() - 1 - random() % 60;
        if (!is_real) continue;
        memory.lose_power(random);
        ++images;
        ASSERT_SAME(go_on(some, random, memory, some_part(random)), expected);
      }
    }
  }
  std::cout << images << " images; edges were kept " << kept_by_all.edges << " times, passes "
            << kept_by_all.passes << " times\n";
  EXPECT_GT(kept_by_all.edges, 0U);
  EXPECT_GT(kept_by_all.passes, 0U);
  EXPECT_EQ(kept_by_all.damaged, 0U);
}

TEST(DurableProducts, FaultsOfTheDiskAtManyOperations) {
  Random random(25);
  std::uint64_t runs = 0;
  std::uint64_t refused = 0;
  const Trouble all[] = {Trouble::io_error,       Trouble::no_space,       Trouble::interrupted,
                         Trouble::short_transfer, Trouble::flipped_bit,    Trouble::torn_write,
                         Trouble::dropped_write,  Trouble::misplaced_write};
  while (runs < cases(50)) {
    const Case some(random);
    const std::string expected = text_of(left_alone(some, random));
    const Trouble trouble = all[random() % std::size(all)];
    const bool loud = trouble == Trouble::io_error || trouble == Trouble::no_space;
    const bool in_log = random() % 3 != 0;  // otherwise where states go that memory does not hold
    bool struck = true;
    for (std::uint64_t at = random() % 60; struck && runs < cases(50); at += 1 + random() % 60) {
      SCOPED_TRACE(testing::Message() << "trouble " << static_cast<int>(trouble) << " at " << at);
      MemoryDisk memory;
      MemoryDisk scratch;
      FaultyDisk faulty(in_log ? memory : scratch);
      faulty.set({trouble, at, false, random()});
      Part part = some_part(random);
      if (!in_log) part.scratch = &faulty;
      const CheckResult first =
          in_log ? go_on(some, random, faulty, part) : go_on(some, random, memory, part);
      struck = faulty.struck();
      ++runs;
      if (is_final(first)) {
        ASSERT_SAME(first, expected);
      }
      const CheckResult second = go_on(some, random, memory, some_part(random));
      if (second.verdict.exit == Exit::integrity && !loud) {
        ++refused;
        continue;
      }
      ASSERT_SAME(second, expected);
    }
  }
  std::cout << runs << " runs, " << refused << " of them could not be continued, and said so\n";
}

// Real processes on real files, killed at the n-th operation on them; then another one goes on, and
// may be killed.
TEST(DurableProducts, ProcessesCanBeKilledAtAnyOperation) {
  Random random(26);
  const std::uint64_t wanted = cases(15);
  std::uint64_t kills = 0;
  while (kills < wanted) {
    const Case some(random);
    const std::string expected = text_of(left_alone(some, random));
    for (std::uint64_t at = random() % 40; kills < wanted; at += 1 + random() % 60) {
      const TemporaryFolder folder;
      bool killed = true;
      for (std::uint64_t times = 0; killed && times < 5; ++times) {
        const Part part = some_part(random);
        const std::uint64_t when = times == 0 ? at : random() % 400;
        const pid_t child = fork();
        if (child == 0) {
          SystemDisk disk({{folder.path()}, SystemDisk::Keep::yes, EngineKind::posix});
          FaultyDisk faulty(disk);
          faulty.set({Trouble::death, when, false, 0});
          go_on(some, random, faulty, part);
          _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status);
        kills += killed ? 1 : 0;
      }
      SystemDisk disk({{folder.path()}, SystemDisk::Keep::yes, EngineKind::posix});
      ASSERT_SAME(go_on(some, random, disk, some_part(random)), expected);
      if (!killed && at > 60) break;
    }
  }
  std::cout << kills << " kills\n";
}

}  // namespace
}  // namespace spillway
