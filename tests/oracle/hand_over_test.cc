// A search in which execution is handed over between levels finds the same as one that is executed
// in one way: states, levels, digests, counterexamples and their rules.
//
// SPILLWAY_HAND_OVERS=500 sets how many random programs, SPILLWAY_SEED=17 looks at one only.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "algorithms/algorithms.h"
#include "base/text/read_file.h"
#include "cases.h"
#include "check/check.h"
#include "executions.h"
#include "folders.h"
#include "held_back.h"
#include "language/murphi/murphi.h"
#include "model/program_model.h"
#include "model/symmetric_model.h"
#include "random_murphi.h"
#include "random_program.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

const Algorithm& algorithm(std::string_view name) {
  for (const Algorithm& one : algorithms())
    if (one.name == name) return one;
  throw std::runtime_error("no such algorithm");
}

CheckResult search(const Model& model, std::string_view name, unsigned threads) {
  CheckOptions how;
  how.session.threads = threads;
  how.session.deadlock = Deadlock::stuck;
  how.session.limits.max_states = 3000;
  how.session.limits.max_depth = 12;
  how.ignored.acceptance = true;  // not every algorithm decides it beside other findings
  how.memory_bytes = std::uint64_t{64} << 20;
  return check_in_memory(model, algorithm(name), how);
}

// All that a user is told, but for the time it took.
std::string told(const Model& model, const CheckResult& result) {
  std::string text = result.verdict.reason + "\n" + result.statistics.digest.hex();
  for (const Level& level : result.statistics.levels)
    text += "\n" + std::to_string(level.states) + " " + std::to_string(level.transitions) + " " +
            level.digest.hex();
  for (const Trace& trace : result.traces) {
    if (trace.finding.failure) text += "\n" + trace.finding.failure->message;
    for (const Step& step : trace.steps) {
      text += "\n" + model.description().rule_name(step.rule) + ":";
      for (const Word word : step.row) text += " " + std::to_string(word);
    }
  }
  return text;
}

using Maker = std::function<std::unique_ptr<Model>(Executed)>;

// False if the search has fewer levels: then there is nothing to compare.
bool compare(const Maker& make, std::size_t least_levels = 0) {
  const std::unique_ptr<Model> reference = make(Executed::interpreted);
  reference->runtime().prepare();
  const CheckResult result = search(*reference, "ram", 1);
  if (result.statistics.levels.size() < least_levels) return false;
  const std::string expected = told(*reference, result);
  struct Case {
    Executed way;
    const char* algorithm;
    unsigned threads;
  };
  for (const auto& [way, name, threads] :
       {Case{Executed::in_turn, "ram", 1}, Case{Executed::in_turn, "sorted-runs", 3},
        Case{Executed::automatic, "ram", 3}}) {
    SCOPED_TRACE(testing::Message() << name << ", " << threads << " threads, "
                                    << (way == Executed::in_turn ? "in turn" : "automatic"));
    const std::unique_ptr<Model> model = make(way);
    model->runtime().prepare();
    EXPECT_EQ(told(*model, search(*model, name, threads)), expected);
    const std::size_t levels = result.statistics.levels.size();
    if (way == Executed::in_turn && has_tcc()) {
      EXPECT_GE(model->runtime().executions().size(), levels) << "not handed over at every level";
    }
  }
  return true;
}

// A compiler that fails says why beside the failure of the test.
const Compiling kHow{Effort::little,
                     false,
                     [](const std::string& sentence) { std::cerr << sentence << "\n"; },
                     {},
                     {},
                     0};

class Seeds {
 public:
  // Few of them have levels to hand over between: no fewer with sanitizers.
  explicit Seeds(std::uint64_t usual) : to_(number_from("SPILLWAY_HAND_OVERS", usual)) {
    if (const char* seed = std::getenv("SPILLWAY_SEED"))
      from_ = to_ = std::strtoull(seed, nullptr, 10);
  }
  template <class Do>
  void each(Do act) const {
    for (std::uint64_t seed = from_; seed <= to_ && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE("SPILLWAY_SEED=" + std::to_string(seed));
      act(seed);
    }
  }

 private:
  std::uint64_t from_ = 1, to_;
};

// Most of them fail in the first levels, each in its own way.
TEST(HandOver, OfRandomPrograms) {
  const Seeds seeds(8);
  seeds.each([&](std::uint64_t seed) {
    const Maker make = [&](Executed way) -> std::unique_ptr<Model> {
      return std::make_unique<ProgramModel>(program::random_program(seed), way, kHow);
    };
    compare(make);
  });
}

TEST(HandOver, OfRandomSymmetricModels) {
  std::size_t deep = 0;
  const Seeds seeds(120);
  seeds.each([&](std::uint64_t seed) {
    const std::string text = random_murphi(seed);
    const Maker make = [&](Executed way) -> std::unique_ptr<Model> {
      auto model = std::make_unique<ProgramModel>(
          std::move(read_murphi("random.m", text, {}).program), way, kHow);
      program::Symmetries symmetries(model->program(), program::Canonical::exhaustive);
      if (symmetries.empty()) return model;
      return std::make_unique<SymmetricModel>(std::move(model), std::move(symmetries));
    };
    try {
      make(Executed::interpreted);
    } catch (const Error&) {  // refused by the language
      return;
    }
    deep += compare(make, 3) ? 1 : 0;
  });
  if (std::getenv("SPILLWAY_SEED") == nullptr) {
    EXPECT_GT(deep, 1U) << "hardly anything is handed over";
  }
}

// A model of the examples, with symmetry.
std::unique_ptr<Model> example(const std::string& name, Executed way) {
  const std::string path = source_file("examples/" + name);
  auto model = std::make_unique<ProgramModel>(
      std::move(read_murphi(path, read_file(path), {}).program), way, kHow);
  program::Symmetries symmetries(model->program(), program::Canonical::exhaustive);
  if (symmetries.empty()) return model;
  return std::make_unique<SymmetricModel>(std::move(model), std::move(symmetries));
}

// The C compiler waits for a file, and is what CC names.
class Gate {
 public:
  Gate() {
    std::string folder = testing::TempDir() + "/gate-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no directory for the test");
    folder_ = folder;
    const std::string compiler = folder + "/cc-that-waits";
    std::ofstream(compiler) << "#!/bin/sh\nwhile [ ! -e " << file()
                            << " ]; do sleep 0.01; done\nexec cc \"$@\"\n";
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    setenv("CC", compiler.c_str(), 1);
  }
  ~Gate() {
    unsetenv("CC");
    std::filesystem::remove_all(folder_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  std::string file() const { return folder_ + "/go"; }
  void close() const { std::filesystem::remove(file()); }

 private:
  std::string folder_;
};

// Before every level of interest, in every search.
void compare_at_levels(const std::string& name) {
  SCOPED_TRACE(name);
  const Gate gate;
  unsigned next_threads = 1;
  for (const Algorithm& one : algorithms()) {
    if (!one.in_levels) continue;
    const std::unique_ptr<Model> reference = example(name, Executed::interpreted);
    reference->runtime().prepare();
    const CheckResult result = search(*reference, one.name, 1);
    const std::string expected = told(*reference, result);
    const std::uint64_t last = result.statistics.levels.size() - 1;
    const bool product = one.durable;  // the others have one thread, and are all alike
    const std::vector<std::uint64_t> levels = product
                                                  ? std::vector<std::uint64_t>{0, 1, last, last + 1}
                                                  : std::vector<std::uint64_t>{last / 2, last + 1};
    for (const std::uint64_t level : levels) {
      const unsigned threads = product ? next_threads : 1;
      SCOPED_TRACE(testing::Message()
                   << one.name << ", " << threads << " threads, level " << level);
      gate.close();
      HeldBack model(example(name, Executed::automatic), gate.file(), level);
      model.runtime().prepare();
      EXPECT_EQ(told(model, search(model, one.name, threads)), expected);
      const std::vector<ExecutedLevels> executions = model.runtime().executions();
      if (level > 0 && level <= last) {
        ASSERT_EQ(executions.size(), 2U);
        EXPECT_EQ(executions[1].by, "optimized");
        EXPECT_EQ(executions[1].first_level, level);
      } else {
        ASSERT_EQ(executions.size(), 1U);
        EXPECT_EQ(executions[0].by == "optimized", level == 0);
      }
      next_threads = next_threads == 4 ? 1 : next_threads * 2;
    }
  }
}

TEST(HandOver, BeforeTheFirstLevelTheSecondTheLastOrNever) {
  compare_at_levels("mesi/mesi.m");  // complete
  compare_at_levels("msi/msi.m");    // violated
}

TEST(HandOver, OfAnExample) {
  const std::string path = source_file("examples/german/german.m");
  const Maker make = [&](Executed way) -> std::unique_ptr<Model> {
    return std::make_unique<ProgramModel>(std::move(read_murphi(path, read_file(path), {}).program),
                                          way, kHow);
  };
  EXPECT_TRUE(compare(make, 6));
}

}  // namespace
}  // namespace spillway
