// Searches that are stopped, killed, or lose their disk's power, and are continued: what comes out
// must be what comes out of a search that was left alone.
//
// How many: SPILLWAY_CASES=5000 (of each kind).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "cases.h"
#include "check/durable/check_log.h"
#include "check/session/signals.h"
#include "io/data/system_disk.h"
#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "search/automatic.h"
#include "search/runs/sorted_runs.h"
#include "support/check_in_memory.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

// How a part of a search is carried out.
struct Way {
  unsigned threads = 1;
  int kind = 0;  // in memory, as sorted runs, or first the one and then the other
  RamSettings ram;
  SortedRunsSettings runs;
  bool at_every_level = true;   // checkpoints; otherwise only when it stops
  std::size_t alone_bytes = 0;  // of the log
  std::optional<ShortRowsSettings> short_rows;
};

Way any_way(Random& random) {
  Way way;
  way.threads = 1 + static_cast<unsigned>(random() % 3);
  way.kind = static_cast<int>(random() % 3);
  way.ram.first_homes = 2;
  way.ram.chunk_bytes = 80;
  way.ram.unit_rows = 3;
  way.ram.squeeze_rows = 1 + random() % 20;
  way.ram.alone_rows = 0;
  way.ram.leave_states = 1 + random() % (random() % 2 == 0 ? 20 : 200);
  way.runs.block_rows = 1 + random() % 6;
  way.runs.chunk_bytes = 1 + random() % 100;
  way.runs.cache_rows = 2 + random() % 20;
  way.runs.candidate_rows = 1 + random() % 30;
  way.runs.merge_rows = 1 + random() % 30;
  way.runs.reserve_bytes = random() % 2 == 0 ? 1 : std::size_t{1} << 40;
  way.runs.chunks_ahead = 1 + random() % 4;
  way.runs.fan_in = 2 + random() % 3;
  way.runs.parts = 1 + random() % 3;
  way.runs.alone_rows = random() % 2 * 100;
  way.runs.sort_rows = 1 + random() % 30;
  way.runs.squeeze_states = 1 + random() % 60;
  way.at_every_level = random() % 3 != 0;
  way.alone_bytes = random() % 3 == 0 ? 100 : 0;
  if (random() % 2 == 0) {  // another process may cut otherwise
    way.short_rows = ShortRowsSettings::for_all();
    way.short_rows->most_states = 1 + random() % 20;
    way.short_rows->cut.rare = 1 + random() % 4;
  }
  return way;
}

thread_local Way way_in_use;
const Algorithm kSearch{.name = "any",
                        .summary = "",
                        .states = [](const SearchContext& context) -> std::unique_ptr<Search> {
                          if (way_in_use.kind == 0) return make_ram(context, way_in_use.ram);
                          if (way_in_use.kind == 1)
                            return make_sorted_runs(context, way_in_use.runs);
                          return make_automatic(context, way_in_use.ram, way_in_use.runs);
                        },
                        .durable = true,
                        .wide_words = 1};

JournalSettings checkpoints_of(const Way& way) {
  JournalSettings settings;
  settings.least_seconds = way.at_every_level ? 0 : 1e9;
  settings.share = 1e9;
  settings.alone_bytes = way.alone_bytes;
  return settings;
}

constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

// What a process has been told of checkpoints.
struct Checkpoints {
  std::uint64_t found = 0;  // generation that it went on from; 0: none
  std::uint64_t last = 0;   // that it knows to be there
};

// One process's part of it, inside limits; `disk` has the journal.
CheckResult go_on(const Model& model, Deadlock deadlock, Disk& disk, const Way& way, Limits limits,
                  Disk* scratch = nullptr, Checkpoints* checkpoints = nullptr,
                  std::function<void(const std::string&)> announcer = {}) {
  way_in_use = way;
  JournalSettings settings = checkpoints_of(way);
  settings.shape = BlockShape::of(model.words());
  settings.shape->rows = 7;
  settings.shape->group_rows = 3;
  CheckOptions options;
  options.session.threads = way.threads;
  options.session.deadlock = deadlock;
  options.session.limits = limits;
  options.session.announcer = std::move(announcer);
  options.memory_bytes = kMemory;
  options.verify = true;
  options.disk = scratch;
  options.short_rows = way.short_rows;
  try {
    Journal journal(disk, model.words(), std::uint64_t{1} << 20, settings);
    options.journal = &journal;
    if (checkpoints != nullptr) checkpoints->found = journal.generation();
    CheckResult result = check_in_memory(model, kSearch, options);
    if (checkpoints != nullptr) checkpoints->last = journal.generation();
    return result;
  } catch (const Error& error) {  // as the program says it
    CheckResult refused;
    refused.verdict = {Outcome::error, exit_of(error.fault()), error.what()};
    return refused;
  }
}

// A violation found in a level that was not finished is one, but another may be told when it is.
bool is_final(const CheckResult& result) {
  return !result.statistics.unfinished && result.verdict.final;
}

// A graph of some fifty levels, with or without something wrong at the end.
GraphSpec some_graph(Random& random, Vertex nodes) {
  GraphSpec graph;
  graph.words = 1 + random() % 3;
  graph.coding = static_cast<unsigned>(random() % kCodings);
  graph.initial = {0, 1, 2};
  for (Vertex i = 0; i < nodes; ++i) {
    graph.edges.emplace_back(
        i, std::min<Vertex>(nodes - 1, i + 1 + static_cast<Vertex>(random() % 20)));
    graph.edges.emplace_back(i, static_cast<Vertex>(random() % (i + 1)));
  }
  if (random() % 2 == 0) graph.bad = {{nodes - 1, 0}};
  return graph;
}

TEST(Durable, SearchesThatAreStoppedAgainAndAgainOnRandomGraphs) {
  EXPECT_TRUE(rc::check("stopped searches", [] {
    const GraphSpec graph = arbitrary_graph(*rc::gen::inRange(0, 20) == 0);
    const TestGraph model(graph);
    Limits limits;
    limits.max_errors = *one_of<std::uint64_t>({1, 1, 2, 3, kUnlimited});
    const Expected expected = reference(model, graph.deadlock, limits.max_errors);
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    MemoryDisk disk;
    const bool by_time = random() % 2 == 0;  // wherever it is then
    limits.max_depth = by_time ? kUnlimited : 0;
    if (by_time) limits.timeout_seconds = 1e-5;
    CheckResult result;
    do {
      if (by_time)
        limits.timeout_seconds *= 1.3;
      else
        limits.max_depth += random() % 4 * (1 + expected.levels.size() / 8);
      result = go_on(model, graph.deadlock, disk, any_way(random), limits);
      if (result.verdict.outcome == Outcome::error) RC_FAIL(result.verdict.reason);
      if (!is_final(result)) {
        RC_ASSERT(result.not_saved == "");
        Journal journal(disk, model.words(), std::uint64_t{1} << 20);
        Budget budget(kMemory);
        MemoryDisk scratch;
        if (journal.resumed()) examine(journal, budget, scratch);
      }
      limits.max_depth += by_time ? 0 : 1;
    } while (!is_final(result));
    RC_ASSERT(difference(model, graph.deadlock, result, expected) == "");
    limits = {.max_errors = limits.max_errors};
    const CheckResult again = go_on(model, graph.deadlock, disk, any_way(random), limits);
    RC_ASSERT(difference(model, graph.deadlock, again, expected) == "");
  }));
}

// Nothing is missing up to the successors of the first state in which a rule fails.
std::string wrong_claim(const CheckResult& result) {
  std::uint64_t failed = kUnlimited;
  for (const Trace& trace : result.traces)
    if (is_failure(trace.finding)) failed = std::min(failed, trace.finding.depth);
  for (const Trace& trace : result.traces)
    if (trace.shortest != (trace.finding.depth <= failed)) return "a trace is called shortest";
  return failed != kUnlimited && result.verdict.complete ? "the search is called complete" : "";
}

TEST(Durable, SearchesThatGoOnAfterViolationsOnRandomGraphs) {
  EXPECT_TRUE(rc::check("several violations", [] {
    const GraphSpec graph = arbitrary_graph(*rc::gen::inRange(0, 20) == 0);
    const TestGraph model(graph);
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    way_in_use = any_way(random);
    CheckOptions options;
    options.session.threads = way_in_use.threads;
    options.session.deadlock = graph.deadlock;
    options.session.limits.max_errors = *one_of<std::uint64_t>({2, 3, kUnlimited});
    options.memory_bytes = kMemory;
    const CheckResult result = check_in_memory(model, kSearch, options);
    const Expected expected = reference(model, graph.deadlock, options.session.limits.max_errors);
    RC_ASSERT(difference(model, graph.deadlock, result, expected) == "");
    RC_ASSERT(wrong_claim(result) == "");
    if (options.session.limits.max_errors != kUnlimited || !graph.failing.empty()) return;
    RC_ASSERT(result.verdict.complete);
    const Truths whole = truths(model, graph.deadlock);  // property by property
    for (const PropertyResult& property : result.properties(model, graph.deadlock)) {
      const Truth& truth = whole.of.at(property.name);
      RC_ASSERT(property.outcome == (truth.holds ? Outcome::verified : Outcome::violated));
      if (!truth.holds) RC_ASSERT(property.trace->finding.depth == *truth.depth);
    }
  }));
}

// Sorting what fills the memory of a large machine takes minutes.
TEST(Durable, ASignalIsHeardBeforeTheTableIsSorted) {
  Random random(6);
  const Signals signals;
  for (int i = 0; i < 50; ++i) {
    const GraphSpec graph = some_graph(random, 120);
    const TestGraph model(graph);
    MemoryDisk disk;
    MemoryDisk scratch;
    Way way = any_way(random);
    way.kind = 2;
    way.ram.leave_states = 1 + random() % 40;
    way.runs.reserve_bytes = std::size_t{1} << 40;  // what is sorted is written
    const CheckResult first = go_on(model, graph.deadlock, disk, way, {}, &scratch, nullptr,
                                    [](const std::string& sentence) {
                                      if (sentence.starts_with("memory is full"))
                                        std::raise(SIGTERM);
                                    });
    ASSERT_EQ(first.verdict.exit, Exit::terminated) << first.verdict.reason;
    ASSERT_EQ(scratch.counters().written_bytes, 0U);
    const Signals none;  // forgets it
    const CheckResult second = go_on(model, graph.deadlock, disk, any_way(random), {});
    ASSERT_EQ(difference(model, graph.deadlock, second, reference(model, graph.deadlock)), "");
  }
}

// What is left on a disk after the n-th operation, for all n, in several ways the power can go.
TEST(Durable, PowerCanGoAtAnyTime) {
  Random random(1);
  std::uint64_t images = 0;
  while (images < cases(2500)) {
    const GraphSpec graph = some_graph(random, 120);
    const TestGraph model(graph);
    const Expected expected = reference(model, graph.deadlock);
    bool struck = true;
    for (std::uint64_t at = 0; struck && images < cases(2500); at += 1 + random() % 3) {
      MemoryDisk memory(MemoryDisk::Power::may_go);
      FaultyDisk faulty(memory);
      faulty.set({Trouble::io_error, at, true, 0});
      Checkpoints before;
      const CheckResult first =
          go_on(model, graph.deadlock, faulty, any_way(random), {}, nullptr, &before);
      struck = faulty.struck();
      if (is_final(first)) {
        ASSERT_EQ(difference(model, graph.deadlock, first, expected), "") << at;
      }
      memory.lose_power(random);
      ++images;
      Checkpoints after;
      const CheckResult second =
          go_on(model, graph.deadlock, memory, any_way(random), {}, nullptr, &after);
      ASSERT_GE(after.found, before.last) << "operation " << at << ": a checkpoint was lost";
      ASSERT_EQ(difference(model, graph.deadlock, second, expected), "")
          << "operation " << at << ", image " << images;
    }
  }
  std::cout << images << " images\n";
}

// What the disk says is wrong is told; what it does not say is noticed, or does no harm.
TEST(Durable, FaultsOfTheDiskAtEveryOperation) {
  Random random(2);
  std::uint64_t runs = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t round = 0; runs < cases(2000); ++round) {
    const GraphSpec graph = some_graph(random, 100);
    const TestGraph model(graph);
    const Expected expected = reference(model, graph.deadlock);
    for (const Trouble trouble :
         {Trouble::io_error, Trouble::no_space, Trouble::interrupted, Trouble::short_transfer,
          Trouble::flipped_bit, Trouble::torn_write, Trouble::dropped_write,
          Trouble::misplaced_write}) {
      const bool loud = trouble == Trouble::io_error || trouble == Trouble::no_space;
      const bool in_log = random() % 3 != 0;  // otherwise where states go that memory does not hold
      bool struck = true;
      for (std::uint64_t at = random() % 3; struck; at += 3) {
        SCOPED_TRACE(testing::Message() << "trouble " << static_cast<int>(trouble) << " at " << at);
        MemoryDisk memory;
        MemoryDisk scratch;
        FaultyDisk faulty(in_log ? memory : scratch);
        faulty.set({trouble, at, false, random()});
        const CheckResult first =
            in_log ? go_on(model, graph.deadlock, faulty, any_way(random), {})
                   : go_on(model, graph.deadlock, memory, any_way(random), {}, &faulty);
        struck = faulty.struck();
        ++runs;
        if (is_final(first)) {
          ASSERT_EQ(difference(model, graph.deadlock, first, expected), "");
        }
        const CheckResult second = go_on(model, graph.deadlock, memory, any_way(random), {});
        if (second.verdict.exit == Exit::integrity && !loud) {
          ++refused;
          continue;
        }
        ASSERT_EQ(difference(model, graph.deadlock, second, expected), "") << second.verdict.reason;
      }
    }
  }
  std::cout << runs << " runs, " << refused << " of them could not be continued, and said so\n";
}

void flip_a_bit(Disk& disk, const std::string& name, Random& random) {
  const std::unique_ptr<File> file = disk.open(name);
  Budget room(kSector);
  const Buffer sector = Buffer::need(room, kSector, "a test");
  const std::uint64_t offset = random() % (file->size() / kSector) * kSector;
  file->read(offset, sector.all()).wait();
  sector.data()[random() % kSector] ^= static_cast<std::byte>(1U << random() % 8);
  file->write(offset, sector.all()).wait();
}

// A file of the log that only the newest checkpoint speaks of is damaged: the one before counts.
// Any other: nothing can be continued.
TEST(Durable, DamageInTheLogOfAStoppedSearch) {
  Random random(5);
  std::uint64_t older = 0;
  std::uint64_t refused = 0;
  while (older + refused < cases(600)) {
    const GraphSpec graph = some_graph(random, 120);
    const TestGraph model(graph);
    const Expected expected = reference(model, graph.deadlock);
    MemoryDisk disk;
    Limits limits;
    for (std::uint64_t stops = 1 + random() % 3; stops > 0; --stops) {
      limits.max_depth = (limits.max_depth == kUnlimited ? 0 : limits.max_depth) + 1 + random() % 4;
      go_on(model, graph.deadlock, disk, any_way(random), limits);
    }
    ManifestFiles files(disk);
    const std::vector<std::uint64_t> generations = files.generations();
    if (generations.empty()) continue;
    std::vector<LevelLog::LogFile> parts = files.read(generations[0]).parts;
    const LevelLog::LogFile damaged = parts[random() % parts.size()];
    bool helps = generations.size() > 1;
    if (helps) {
      const std::vector<LevelLog::LogFile> before = files.read(generations[1]).parts;
      helps = std::find(before.begin(), before.end(), damaged) == before.end();
    }
    flip_a_bit(disk, LevelLog::name_of(damaged.file), random);
    const CheckResult result = go_on(model, graph.deadlock, disk, any_way(random), {});
    if (helps) {
      ++older;
      ASSERT_EQ(difference(model, graph.deadlock, result, expected), "") << result.verdict.reason;
      const CheckResult again = go_on(model, graph.deadlock, disk, any_way(random), {});
      ASSERT_EQ(difference(model, graph.deadlock, again, expected), "") << again.verdict.reason;
    } else {
      ++refused;
      ASSERT_EQ(result.verdict.exit, Exit::integrity) << result.verdict.reason;
    }
  }
  std::cout << older << " went on from the checkpoint before, " << refused << " could not\n";
  ASSERT_GT(older, 0U);
  ASSERT_GT(refused, 0U);
}

// A limit of the room on disk, at many values: the same answer, or none yet and a run that goes on
// with more room.
TEST(Durable, RoomOnDiskAtManyValues) {
  Random random(4);
  std::uint64_t runs = 0;
  std::uint64_t stopped = 0;
  while (runs < cases(100)) {
    const GraphSpec graph = some_graph(random, 150);
    const TestGraph model(graph);
    const Expected expected = reference(model, graph.deadlock);
    for (std::uint64_t sectors = random() % 4; runs < cases(100) && sectors < 120;
         sectors += 1 + random() % 8) {
      const TemporaryFolder folder;
      const TemporaryFolder other;
      bool final = false;
      for (std::uint64_t limit = sectors * kSector; !final;
           limit = limit * 3 / 2 + kSector, ++runs) {
        SCOPED_TRACE(testing::Message() << "a limit of " << limit << " bytes");
        Budget room(limit);
        SystemDisk kept({{folder.path()}, SystemDisk::Keep::yes, EngineKind::posix, 0, &room});
        SystemDisk scratch({{other.path()}, SystemDisk::Keep::no, EngineKind::posix, 0, &room});
        const CheckResult result =
            go_on(model, graph.deadlock, kept, any_way(random), {}, &scratch);
        ASSERT_LE(room.peak(), limit);
        final = is_final(result);
        if (final) {
          ASSERT_EQ(difference(model, graph.deadlock, result, expected), "");
        } else {
          ASSERT_EQ(result.verdict.exit, Exit::disk) << result.verdict.reason;
          ASSERT_NE(result.no_room.find("--disk-limit"), std::string::npos) << result.no_room;
          ++stopped;
        }
      }
    }
  }
  std::cout << runs << " runs, " << stopped << " of them stopped for want of room\n";
  ASSERT_GT(stopped, 0U);
}

// Real processes on real files, killed at the n-th operation on them; then another one goes on, and
// may be killed.
TEST(Durable, ProcessesCanBeKilledAtAnyOperation) {
  Random random(3);
  const std::uint64_t wanted = cases(150);
  std::uint64_t kills = 0;
  while (kills < wanted) {
    const GraphSpec graph = some_graph(random, 150);
    const TestGraph model(graph);
    const Expected expected = reference(model, graph.deadlock);
    for (std::uint64_t at = random() % 4; kills < wanted; at += 1 + random() % 4) {
      const TemporaryFolder folder;
      bool killed = true;
      for (std::uint64_t times = 0; killed && times < 5; ++times) {
        const Way way = any_way(random);
        const std::uint64_t when = times == 0 ? at : random() % 60;
        const pid_t child = fork();
        if (child == 0) {
          SystemDisk disk({{folder.path()}, SystemDisk::Keep::yes, EngineKind::posix});
          FaultyDisk faulty(disk);
          faulty.set({Trouble::death, when, false, 0});
          go_on(model, graph.deadlock, faulty, way, {});
          _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status);
        kills += killed ? 1 : 0;
      }
      SystemDisk disk({{folder.path()}, SystemDisk::Keep::yes, EngineKind::posix});
      const CheckResult last = go_on(model, graph.deadlock, disk, any_way(random), {});
      ASSERT_EQ(difference(model, graph.deadlock, last, expected), "") << "killed at " << at;
      if (!killed && at > 60) break;
    }
  }
  std::cout << kills << " kills\n";
}

}  // namespace
}  // namespace spillway
