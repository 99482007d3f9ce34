// A run directory and the disk below it: the power goes, or the disk fails, at every operation
// while the directory is created, locked, resumed, given another place and finished.
//
// A check is then continued, and ends as if nothing had happened.  No checkpoint is lost, and no
// result is taken for that of a process that did not write it.
//
// How many: SPILLWAY_CASES=5000 (of each kind).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cases.h"
#include "check/durable/journal.h"
#include "directory/run_directory.h"
#include "directory/run_result.h"
#include "oracle/compare.h"
#include "oracle/test_graph.h"
#include "search/ram/ram.h"
#include "support/check_in_memory.h"
#include "support/faulty_disk.h"
#include "support/memory_file_system.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

constexpr const char* kRun = "/run";
// So long that their list takes more than a disk writes as a whole.
const std::string kDisk = "/disk" + std::string(200, 'k');
const std::string kOtherDisk = "/other" + std::string(200, 'r');
constexpr std::uint64_t kMemory = std::uint64_t{16} << 20;

const Algorithm kSearch{.name = "any",
                        .summary = "",
                        .states = [](const SearchContext& context) -> std::unique_ptr<Search> {
                          RamSettings settings;
                          settings.first_homes = 2;
                          settings.chunk_bytes = 80;
                          settings.unit_rows = 3;
                          return make_ram(context, settings);
                        },
                        .durable = true};

// A graph of some twelve levels, with or without something wrong at the end.
GraphSpec some_graph(Random& random) {
  constexpr Vertex kNodes = 40;
  GraphSpec graph;
  graph.initial = {0};
  for (Vertex i = 0; i < kNodes; ++i) {
    graph.edges.emplace_back(
        i, std::min<Vertex>(kNodes - 1, i + 1 + static_cast<Vertex>(random() % 5)));
    graph.edges.emplace_back(i, std::min<Vertex>(kNodes - 1, i + 1));
  }
  if (random() % 2 == 0) graph.bad = {{kNodes - 1, 0}};
  return graph;
}

RunConfig some_config() {
  RunConfig config;
  config.version = "0.1.0";
  config.begun = "2026-01-02 03:04:05 UTC";
  config.machine = "a test";
  config.model = "test.graph";
  return config;
}

// What a process has been able to tell its user.
struct Told {
  bool has_directory = false;  // it was created or opened
  bool taken_up = false;       // the result of the process before has become an earlier one
  std::vector<std::string> places;
  std::uint64_t checkpoint = 0;  // the newest that it knows to be there; 0: none
  std::string begun_result;      // that it has begun to write
  std::string result;            // that it has written
  CheckResult check;
  std::optional<Error> refused;
};

// A violation found in a level that was not finished is one, but another may be told when it is.
bool is_final(const CheckResult& result) {
  if (result.statistics.unfinished) return false;
  return result.verdict.outcome == Outcome::verified || result.verdict.outcome == Outcome::violated;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// Several processes that work on one run directory, one after the other.
class Life {
 public:
  explicit Life(Random& random) : graph_(some_graph(random)), model_(graph_) {
    model_path_ = folder_.write("test.graph", graph_.text());
    for (const std::string& path : {kDisk, kOtherDisk}) EXPECT_EQ(files.make(path), 0);
    files.open("/")->sync();
  }

  // As the program does it, in its order.
  Told process(std::uint64_t max_depth, const std::string& another_disk = {}) {
    Told told;
    try {
      const bool is_first = !files.is_directory(kRun);
      RunDirectory directory = is_first
                                   ? RunDirectory::create(files, kRun, some_config(), model_path_)
                                   : RunDirectory::open(files, kRun);
      directory.need_places();
      if (!is_first) directory.model_path("");
      if (!another_disk.empty()) directory.add_place(another_disk);
      told.places = directory.own_places();
      told.has_directory = true;
      if (!is_first) directory.take_up();
      told.taken_up = true;
      check(directory, max_depth, told);
      told.begun_result = fmt::format("{{\n  \"process\": {}\n}}\n", ++written_);
      directory.write_result(told.begun_result);
      told.result = told.begun_result;
    } catch (const Error& error) {
      told.refused = error;
    }
    return told;
  }

  // A run directory that somebody has been told of is there, with its places and checkpoints, and
  // with the results of the last processes: `before` and `last` of them.  If the disk has done
  // wrong without a word, checkpoints may be damaged.
  void examine(const Told& before, const Told& last, bool silent = false) {
    if (!before.has_directory && !last.has_directory) return;
    RunDirectory directory = RunDirectory::open(files, kRun);
    directory.need_places();
    const std::vector<std::string> places = directory.own_places();
    for (const Told* told : {&before, &last})
      EXPECT_TRUE(silent || std::ranges::includes(sorted(places), sorted(told->places)))
          << "a place was lost";
    directory.model_path("");
    const auto is = [&](const std::optional<std::string>& found, const std::string& json) {
      return json.empty() ? !found : found == signed_result(json, directory.mark());
    };
    const std::optional<std::string> result = directory.result();
    const std::optional<std::string> earlier = directory.earlier_result();
    if (!last.result.empty()) {
      EXPECT_TRUE(is(result, last.result)) << "a result was lost";
    } else if (last.taken_up) {
      EXPECT_TRUE(!result || is(result, last.begun_result)) << "a process has a result of another";
    } else {
      EXPECT_TRUE(is(result, before.result) || (!result && is(earlier, before.result)))
          << "the result of the process before was lost";
    }
    if (last.taken_up) {
      EXPECT_TRUE(is(earlier, before.result)) << "an earlier result was lost";
    }
    Journal journal(files.disk(kRun), model_.words(), kMemory, settings(directory));
    if (silent) return;
    EXPECT_EQ(journal.doubt(), "");
    EXPECT_GE(journal.generation(), std::max(before.checkpoint, last.checkpoint))
        << "a checkpoint was lost";
  }

  // Continues until the end.  A directory that was never complete gives way to another one.
  // Throws what refuses it.
  void finish() {
    if (!is_run_directory() && files.is_directory(kRun)) {
      const std::unique_ptr<Directory> left = files.open(kRun);
      for (const std::string& name : left->names()) left->remove(name);
      ASSERT_EQ(files.remove(kRun), 0);
    }
    const Told last = process(kUnlimited);
    if (last.refused) throw *last.refused;
    if (last.check.verdict.exit == Exit::integrity)
      throw Error(Fault::integrity, last.check.verdict.reason);
    compare(last.check);
    const RunDirectory directory = RunDirectory::look(files, kRun);
    ASSERT_EQ(directory.result(), signed_result(last.result, directory.mark()));
  }

  void compare(const CheckResult& result) {
    ASSERT_EQ(difference(model_, Deadlock::off, result, expected_), "") << result.verdict.reason;
  }
  bool is_run_directory() {
    try {
      RunDirectory::look(files, kRun);
      return true;
    } catch (const Error& error) {
      if (error.fault() != Fault::usage) throw;
      return false;
    }
  }

  Faults faults;
  MemoryFileSystem files{faults};

 private:
  JournalSettings settings(const RunDirectory& directory) const {
    JournalSettings settings;
    settings.run = directory.mark();
    settings.begun = true;
    settings.least_seconds = 0;
    settings.share = 1e9;
    settings.shape = BlockShape::of(model_.words());
    settings.shape->rows = 7;
    settings.shape->group_rows = 3;
    return settings;
  }
  void check(const RunDirectory& directory, std::uint64_t max_depth, Told& told) {
    FaultyDisk disk(files.disk(kRun), faults);
    Journal journal(disk, model_.words(), kMemory, settings(directory));
    CheckOptions options;
    options.session.deadlock = Deadlock::off;
    options.session.limits.max_depth = max_depth;
    options.memory_bytes = kMemory;
    options.journal = &journal;
    told.check = check_in_memory(model_, kSearch, options);
    told.checkpoint = journal.generation();
    if (is_final(told.check)) compare(told.check);
  }

  const TemporaryFolder folder_;
  const GraphSpec graph_;
  const TestGraph model_;
  const Expected expected_ = reference(model_, Deadlock::off);
  std::string model_path_;
  int written_ = 0;
};

// The processes of a life, until one of them fails.  What the last two were told.
struct LastTwo {
  Told before, last;
};
LastTwo live(Life& life) {
  LastTwo told;
  struct Process {
    std::uint64_t max_depth;
    std::string another_disk;
  };
  for (const Process& process :
       {Process{2, {}}, Process{4, kDisk}, Process{6, kOtherDisk}, Process{kUnlimited, {}}}) {
    told.before = std::exchange(told.last, {});
    told.last = life.process(process.max_depth, process.another_disk);
    if (life.faults.struck()) break;
  }
  return told;
}

TEST(RunDirectory, PowerCanGoAtAnyTime) {
  Random random(1);
  std::uint64_t images = 0;
  std::uint64_t with_directory = 0;
  while (images < cases(1500)) {
    bool struck = true;
    for (std::uint64_t at = random() % 2; struck; at += 1 + random() % 2) {
      SCOPED_TRACE(testing::Message() << "operation " << at << ", image " << images);
      Life life(random);
      life.faults.set({Trouble::io_error, life.faults.operations() + at, true, 0});
      const LastTwo told = live(life);
      struck = life.faults.struck();
      life.faults.set({});
      life.files.lose_power(random);
      ++images;
      with_directory += told.last.has_directory ? 1 : 0;
      ASSERT_NO_THROW(life.examine(told.before, told.last));
      ASSERT_NO_THROW(life.finish());
      if (testing::Test::HasFailure()) return;
    }
  }
  std::cout << images << " images, " << with_directory << " with a run directory\n";
  ASSERT_GT(with_directory, images / 2);
}

// What the disk reports stops the process that sees it, and no later one.  What it does not report
// is noticed, or does no harm.
TEST(RunDirectory, FaultsAtEveryOperation) {
  Random random(2);
  std::uint64_t runs = 0;
  std::uint64_t refused = 0;
  const std::uint64_t step = 3 * step_of_all(5);
  while (runs < cases(1500)) {
    for (const Trouble trouble :
         {Trouble::io_error, Trouble::no_space, Trouble::interrupted, Trouble::short_transfer,
          Trouble::flipped_bit, Trouble::torn_write, Trouble::dropped_write,
          Trouble::misplaced_write}) {
      const bool silent = trouble >= Trouble::flipped_bit;
      bool struck = true;
      for (std::uint64_t at = random() % step; struck; at += step) {
        SCOPED_TRACE(testing::Message() << "trouble " << static_cast<int>(trouble) << " at " << at);
        Life life(random);
        life.faults.set({trouble, life.faults.operations() + at, false, random()});
        const LastTwo told = live(life);
        struck = life.faults.struck();
        life.faults.set({});
        ++runs;
        try {
          life.examine(told.before, told.last, silent);
          life.finish();
        } catch (const Error& error) {
          ASSERT_TRUE(silent && error.fault() == Fault::integrity) << error.what();
          ++refused;
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  std::cout << runs << " runs, " << refused << " of them could not be continued, and said so\n";
}

TEST(RunDirectory, OneProcessAtATime) {
  Random random(3);
  Life life(random);
  ASSERT_FALSE(life.process(2, kDisk).refused);
  {
    const RunDirectory first = RunDirectory::open(life.files, kRun);
    EXPECT_TRUE(RunDirectory::look(life.files, kRun).user());
    const Told second = life.process(kUnlimited);
    ASSERT_TRUE(second.refused);
    EXPECT_EQ(second.refused->fault(), Fault::usage);
    EXPECT_NE(std::string(second.refused->what()).find("locked by process"), std::string::npos);
  }
  EXPECT_FALSE(RunDirectory::look(life.files, kRun).user());
  ASSERT_NO_FATAL_FAILURE(life.finish());
  RunDirectory::open(life.files, kRun).remove();
  EXPECT_FALSE(life.files.is_directory(kRun));
  EXPECT_TRUE(life.files.open(kDisk)->names().empty());
}

}  // namespace
}  // namespace spillway
